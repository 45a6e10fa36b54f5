import { Radio } from '@mantine/core'
import { useTexts } from '../i18n/use-texts.ts'
import { RadioCard, RadioCards } from '../ui/form/choices.tsx'
import { OptionSection } from './shared/option-section.tsx'
import { useOrganizationOption } from './use-organization-option.ts'

/** The values are those of the contract (`IncomingPointTypes`). */
const choices = [
  { value: 1, name: 'byBin' },
  { value: 2, name: 'byPoints' },
  { value: 3, name: 'both' },
  { value: 0, name: 'paused' },
] as const

export function CounterPartyOptions() {
  const { t } = useTexts('options')
  const { shown, change } = useOrganizationOption('allowedPointTypesForIncomingSigningRequests')
  return (
    <OptionSection
      name="counterpartypointoptions"
      title={t('counterParty.title')}
      lead={t('counterParty.lead')}
    >
      <Radio.Group
        label={t('counterParty.label')}
        value={String(shown)}
        onChange={(value) => change(Number(value))}
      >
        <RadioCards>
          {choices.map(({ value, name }) => (
            <RadioCard
              key={value}
              value={String(value)}
              isSelected={value === shown}
              label={t(`counterParty.choices.${name}`)}
              help={t(`counterParty.choices.${name}Help`)}
            />
          ))}
        </RadioCards>
      </Radio.Group>
    </OptionSection>
  )
}
