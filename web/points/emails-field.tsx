import { Pill, TagsInput } from '@mantine/core'
import { splitEmails, wrongEmails } from '@kelisim/domain/points/emails.ts'
import { mostEmails } from '@kelisim/domain/points/point.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useFormContext, useProblemText } from '../ui/form/form.tsx'
import classes from './points.module.css'

/** E-mail addresses as chips, made by Enter, a comma or a pasted list; one that is no address is marked and named. */
export function EmailsField({ offered = [], help }: { offered?: readonly string[]; help?: string }) {
  const { t } = useTexts('points')
  const form = useFormContext()
  const emails = form.values['emails'] as string[]
  const wrong = wrongEmails(emails)
  const problem = useProblemText()(form.problems['emails'])
  return (
    <TagsInput
      size="md"
      data-field="emails"
      inputMode="email"
      classNames={{ input: classes.picker ?? '', inputField: classes.pickerField ?? '' }}
      label={t('form.emails')}
      description={help ?? t('form.emailsHelp')}
      data={[...offered]}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      withAsterisk
      error={wrong.length > 0 ? t('form.emailsWrong', { emails: wrong.join(', ') }) : problem}
      splitChars={[',', ';', ' ', '\n', '\t']}
      maxTags={mostEmails}
      renderPill={({ option, onRemove, disabled }) => (
        <Pill
          size="md"
          withRemoveButton
          disabled={disabled ?? false}
          className={wrong.includes(String(option.value)) ? (classes.wrongPill ?? '') : ''}
          removeButtonProps={{
            'aria-label': t('form.removeEmail', { email: option.value }),
            // The library hides it from screen readers, because it has no name there.
            'aria-hidden': false,
          }}
          {...(onRemove && { onRemove })}
        >
          {option.label}
        </Pill>
      )}
      value={emails}
      onChange={(next) => form.set('emails', splitEmails(next))}
      onBlur={() => form.leave('emails')}
    />
  )
}
