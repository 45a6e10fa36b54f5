import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { daysLeft, daysOver } from '@kelisim/domain/requests/deadlines/deadline.ts'
import { isKnownYear } from '@kelisim/domain/requests/deadlines/working-days.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatDate } from '../../ui/format/dates.ts'

export type DeadlineText = {
  text: string
  isOver: boolean
  /** A warning if the public holidays of that year are not known yet. */
  caution: string | null
}

/** "until 20 November, 2 working days left", or that the deadline has passed. */
export function useDeadlineText(): (dueOn: string) => DeadlineText {
  const { t } = useTexts('requests')
  return (dueOn) => {
    const date = formatDate(dueOn)
    const today = dateInAlmaty(new Date())
    const count = daysLeft(dueOn, today)
    const caution = isKnownYear(dueOn) ? null : t('deadline.unknown', { year: dueOn.slice(0, 4) })
    if (count === null) {
      const late = daysOver(dueOn, today) ?? 0
      const text = t('deadline.over', { date })
      const isLonger = late > 0 ? `${text}, ${t('deadline.late', { count: late })}` : text
      return { text: isLonger, isOver: true, caution: null }
    }
    const left = count === 0 ? t('deadline.today') : t('deadline.left', { count })
    return { text: `${t('deadline.due', { date })}, ${left}`, isOver: false, caution }
  }
}
