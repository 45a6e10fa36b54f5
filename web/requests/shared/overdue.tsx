/** Says in lists that a deadline has passed, and for how many working days. */
import { useState } from 'react'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { daysOver } from '@kelisim/domain/requests/deadlines/deadline.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Badge } from '../../ui/look/badge.tsx'

export function Overdue({ dueOn }: { dueOn: string | null }) {
  const { t } = useTexts('requests-lists')
  const [today] = useState(() => dateInAlmaty(new Date()))
  const count = dueOn === null ? null : daysOver(dueOn, today)
  if (count === null) return null
  return <Badge tone="bad">{count === 0 ? t('overdue.now') : t('overdue.days', { count })}</Badge>
}
