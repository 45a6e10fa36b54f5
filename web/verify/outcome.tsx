/** The result of a check as one sentence with an icon and a colour, the same everywhere on this page. */
import { useTexts } from '../i18n/use-texts.ts'
import type { CheckOutcome } from './checking/report.ts'
import { BadIcon, FileIcon, GoodIcon, UnknownIcon, WaitIcon } from './icons.tsx'
import classes from './verify.module.css'

const icons: Record<CheckOutcome, typeof GoodIcon> = {
  valid: GoodIcon,
  inside: UnknownIcon,
  invalid: BadIcon,
  unconfirmed: BadIcon,
  later: WaitIcon,
  incomplete: UnknownIcon,
  unsigned: FileIcon,
  unreadable: BadIcon,
}

export function OutcomeBand(props: { outcome: CheckOutcome; sentence: string; meaning: string }) {
  const Icon = icons[props.outcome]
  return (
    <div className={classes.band} data-outcome={props.outcome}>
      <span className={classes.bandIcon}>
        <Icon size={30} />
      </span>
      <div>
        <h2 tabIndex={-1}>{props.sentence}</h2>
        <p>{props.meaning}</p>
      </div>
    </div>
  )
}

/** An icon beside a name, with a text for screen readers. */
export function OutcomeMark({ outcome }: { outcome: CheckOutcome }) {
  const { t } = useTexts('verify')
  const Icon = icons[outcome]
  return (
    <span className={classes.outcomeIcon} data-outcome={outcome}>
      <Icon size={16} />
      <span className="only-heard">{t(`outcome.${outcome}`)}:</span>
    </span>
  )
}
