/** Fields that every kind of sending has. */
import { MultiSelect } from '@mantine/core'
import { longestRequestDescription, longestRequestName } from '@kelisim/domain/requests/contract.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { dateOf } from '../../ui/format/dates.ts'
import { DateField, TextField, useFormContext } from '../../ui/form/form.tsx'
import { useClassifierSearch } from '../shared/classifier-picker.tsx'
import classes from './send.module.css'

export const mostTags = 20

export function NameFields() {
  const { t } = useTexts('requests-sending')
  return (
    <>
      <TextField
        name="name"
        label={t('about.name')}
        help={t('about.nameHelp')}
        max={longestRequestName}
        isRequired
      />
      <TextField
        name="description"
        label={t('about.description')}
        max={longestRequestDescription}
        lines={2}
      />
    </>
  )
}

export function SigningDateField() {
  const { t } = useTexts('requests-sending')
  return (
    <div className={classes.short}>
      <DateField name="signingDate" label={t('about.date')} help={t('about.dateHelp')} isRequired />
    </div>
  )
}

/** The last day: the system withdraws a document that is not signed by then. */
export function ExpiryField() {
  const { t } = useTexts('requests-sending')
  return (
    <div className={classes.short}>
      <DateField name="expiresOn" label={t('expiry.label')} help={t('expiry.help')} />
    </div>
  )
}

/** The date in the format of the contract; other text is sent as it is and refused. */
export function sentDate(typed: string): string {
  return dateOf(typed) ?? typed
}

/** A component of its own, so that chosen tags keep their names while the list loads. */
export function TagsField() {
  const { t } = useTexts('requests-sending')
  const form = useFormContext()
  const chosen = form.values['classificatorsV2'] as string[]
  const { typed, setTyped, data, keep, isSearching, offer } = useClassifierSearch(chosen)
  return (
    <MultiSelect
      size="md"
      data-field="classificatorsV2"
      classNames={{ input: classes.tags ?? '', inputField: classes.tagsField ?? '' }}
      label={t('about.tags')}
      description={t('about.tagsHelp')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      nothingFoundMessage={isSearching ? t('common:loading') : t('about.tagsNone')}
      searchable
      hidePickedOptions
      maxValues={mostTags}
      data={data}
      filter={({ options }) => (typed === '' ? options : offer(options))}
      searchValue={typed}
      onSearchChange={setTyped}
      value={chosen}
      onChange={(ids) => {
        keep()
        form.set('classificatorsV2', ids)
      }}
    />
  )
}
