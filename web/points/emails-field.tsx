import { useEffect, useRef, useState } from 'react'
import { Pill, TagsInput } from '@mantine/core'
import { splitEmails, wrongEmails } from '@kelisim/domain/points/emails.ts'
import { mostEmails } from '@kelisim/domain/points/point.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useFormContext, useProblemText } from '../ui/form/form.tsx'
import classes from './points.module.css'

/**
 * E-mail addresses as chips, made by Enter, a comma or a pasted list. Chips that are no addresses are marked and
 * named. Typed text that is not a chip yet counts too.
 */
export function EmailsField({ offered = [], help }: { offered?: readonly string[]; help?: string }) {
  const { t } = useTexts('points')
  const form = useFormContext()
  const [typed, setTyped] = useState('')
  const emails = form.values['emails'] as string[]
  const chips = emails.slice(0, emails.length - restOf(typed).length)
  // The library calls back for a new chip and for the cleared input before the next render: keep the new chips.
  const newChips = useRef<string[] | null>(null)
  useEffect(() => void (newChips.current = null))
  const wrong = wrongEmails(chips)
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
            // The library hides the button from screen readers, because it gives it no name.
            'aria-hidden': false,
          }}
          {...(onRemove && { onRemove })}
        >
          {option.label}
        </Pill>
      )}
      value={chips}
      onChange={(next) => {
        newChips.current = splitEmails(next)
        setTyped('')
        form.set('emails', newChips.current)
      }}
      searchValue={typed}
      onSearchChange={(next) => {
        setTyped(next)
        form.set('emails', [...(newChips.current ?? chips), ...restOf(next)])
      }}
      onBlur={() => form.leave('emails')}
    />
  )
}

function restOf(typed: string): string[] {
  return splitEmails([typed])
}
