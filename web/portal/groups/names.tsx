import { useTexts } from '../../i18n/use-texts.ts'
import classes from '../shared/portal.module.css'

const mostShown = 6

/** The people of a group in one line; of a large group only the first few. */
export function Names({ names }: { names: readonly string[] }) {
  const { t } = useTexts()
  if (names.length === 0) return <span className={classes.none}>{t('portal:groups.noParticipants')}</span>
  const shown = names.slice(0, mostShown).join(', ')
  const left = names.length - mostShown
  return left > 0 ? `${shown} ${t('portal:groups.more', { count: left })}` : shown
}
