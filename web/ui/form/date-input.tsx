/** A date that is typed as people write it, or chosen in the calendar of the browser. */
import { useRef } from 'react'
import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { completeDate, dateOf, formatDate, maskDate } from '../format/dates.ts'
import { CalendarIcon } from '../look/icons.tsx'
import classes from './date-input.module.css'

type DateInputProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  /** The text as shown: DD.MM.YYYY, or what was typed so far. */
  value: string
  onChange: (typed: string) => void
}

export function DateInput({ value, onChange, onBlur, ...props }: DateInputProps) {
  const { t } = useTexts()
  const calendar = useRef<HTMLInputElement>(null)
  return (
    <TextInput
      placeholder={t('field.date')}
      inputMode="numeric"
      autoComplete="off"
      {...props}
      value={value}
      onChange={(event) => onChange(maskDate(event.currentTarget.value))}
      onBlur={(event) => {
        const complete = completeDate(value)
        if (complete !== value) onChange(complete)
        onBlur?.(event)
      }}
      rightSectionWidth={44}
      rightSection={
        <>
          {/* Only its calendar is used: typing into it follows the browser's language, not that of the page. */}
          <input
            ref={calendar}
            className={classes.calendar}
            type="date"
            tabIndex={-1}
            aria-hidden="true"
            value={dateOf(value) ?? ''}
            onChange={(event) => {
              const chosen = event.currentTarget.value
              if (chosen !== '') onChange(formatDate(chosen))
            }}
          />
          <ActionIcon
            variant="subtle"
            size={36}
            color="var(--ink-2)"
            aria-label={t('field.calendar')}
            onClick={() => calendar.current?.showPicker()}
          >
            <CalendarIcon size={18} />
          </ActionIcon>
        </>
      }
    />
  )
}
