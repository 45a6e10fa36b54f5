/** A BIN or IIN: grouped for reading, without spaces when copied. */
import { ActionIcon } from '@mantine/core'
import { inGroups } from '@kelisim/domain/numbers.ts'
import classes from './business-number.module.css'

export function BusinessNumber(props: { number: string; copyLabel: string; onCopied: () => void }) {
  const copy = async () => {
    await navigator.clipboard.writeText(props.number)
    props.onCopied()
  }
  return (
    <span className={classes.number}>
      <span
        onCopy={(event) => {
          const chosen = window.getSelection()?.toString() ?? ''
          event.clipboardData.setData('text/plain', chosen.replace(/\s/g, ''))
          event.preventDefault()
        }}
      >
        {inGroups(props.number)}
      </span>
      <ActionIcon variant="subtle" size={36} aria-label={props.copyLabel} onClick={() => void copy()}>
        <svg
          width={18}
          height={18}
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth={1.8}
          strokeLinejoin="round"
          aria-hidden="true"
        >
          <rect x="8" y="8" width="12" height="12" rx="2.5" />
          <path d="M16 8V6.5A2.5 2.5 0 0 0 13.5 4h-7A2.5 2.5 0 0 0 4 6.5v7A2.5 2.5 0 0 0 6.5 16H8" />
        </svg>
      </ActionIcon>
    </span>
  )
}
