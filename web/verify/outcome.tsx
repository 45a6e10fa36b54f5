/** One sentence with its mark and colour, and rows of facts below it: everywhere on this page the same. */
import { useTexts } from '../i18n/use-texts.ts'
import type { Outcome } from './checking/report.ts'
import { BadIcon, FileIcon, GoodIcon, UnknownIcon, WaitIcon } from './icons.tsx'
import classes from './verify.module.css'
import type { Row } from './wording.ts'

const icons: Record<Outcome, typeof GoodIcon> = {
  valid: GoodIcon,
  invalid: BadIcon,
  unconfirmed: BadIcon,
  later: WaitIcon,
  incomplete: UnknownIcon,
  unsigned: FileIcon,
  unreadable: BadIcon,
}

export function OutcomeBand(props: { outcome: Outcome; sentence: string; meaning: string }) {
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

/** Beside a name; said aloud too. */
export function OutcomeMark({ outcome }: { outcome: Outcome }) {
  const { t } = useTexts('verify')
  const Icon = icons[outcome]
  return (
    <span className={classes.mark2} data-outcome={outcome}>
      <Icon size={16} />
      <span className="only-heard">{t(`outcome.${outcome}`)}:</span>
    </span>
  )
}

export function Facts({ rows }: { rows: readonly Row[] }) {
  return (
    <dl className={classes.facts}>
      {rows.map(([label, value], i) => (
        <div key={`${label} ${i}`}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
