import { TagsInput } from '@mantine/core'
import { mostEmails } from '@kelisim/domain/points/point.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useFormContext, useProblemText } from '../ui/form/form.tsx'
import classes from './points.module.css'

/** E-mail addresses as chips, made by Enter, a comma or a pasted list. */
export function EmailsField({ offered = [], help }: { offered?: readonly string[]; help?: string }) {
  const { t } = useTexts('points')
  const form = useFormContext()
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
      error={problem}
      splitChars={[',', ';', ' ', '\n', '\t']}
      maxTags={mostEmails}
      maxLength={254}
      value={form.values['emails'] as string[]}
      onChange={(emails) => form.set('emails', emails)}
      onBlur={() => form.leave('emails')}
    />
  )
}
