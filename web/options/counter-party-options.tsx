import { Radio } from '@mantine/core'
import { useTexts } from '../i18n/use-texts.ts'
import { RadioCard, RadioCards } from '../ui/form/choices.tsx'
import { OptionPage, useOptionsForm } from './organization-form.tsx'

/** The numbers are those of the contract (`IncomingPointTypes`). */
const choices = [
  { value: 1, name: 'byBin' },
  { value: 2, name: 'byPoints' },
  { value: 3, name: 'both' },
  { value: 0, name: 'paused' },
] as const

export function CounterPartyOptions() {
  const { t } = useTexts('options')
  const form = useOptionsForm('allowedPointTypesForIncomingSigningRequests')
  const chosen = form.values.allowedPointTypesForIncomingSigningRequests
  return (
    <OptionPage title={t('counterParty.title')} lead={t('counterParty.lead')} form={form}>
      <Radio.Group
        label={t('counterParty.label')}
        value={String(chosen)}
        onChange={(value) => form.set('allowedPointTypesForIncomingSigningRequests', Number(value))}
      >
        <RadioCards>
          {choices.map(({ value, name }) => (
            <RadioCard
              key={value}
              value={String(value)}
              isSelected={value === chosen}
              label={t(`counterParty.choices.${name}`)}
              help={t(`counterParty.choices.${name}Help`)}
            />
          ))}
        </RadioCards>
      </Radio.Group>
    </OptionPage>
  )
}
