import { Radio } from '@mantine/core'
import { useTexts } from '../i18n/use-texts.ts'
import classes from './shared/options.module.css'
import { OptionPage, useOptionsForm } from './organization-form.tsx'
import { RadioCard } from './shared/radio-card.tsx'

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
        <div className={classes.cards}>
          {choices.map(({ value, name }) => (
            <RadioCard
              key={value}
              value={String(value)}
              isChosen={value === chosen}
              label={t(`counterParty.choices.${name}`)}
              help={t(`counterParty.choices.${name}Help`)}
            />
          ))}
        </div>
      </Radio.Group>
    </OptionPage>
  )
}
