/** The deadline of a point: how long its people have from the day on which their turn came. */
import { addWorkingDays, workingDayBefore, workingDaysUntil } from './working-days.ts'

export const longestTerm = 100

/** What the people were last told about their deadline. */
export const deadlineNews = ['nothing', 'reminded', 'overdue'] as const
export type DeadlineNews = (typeof deadlineNews)[number]

/** Days in Almaty; the day of the deadline is the last one in time. */
export type Deadline = { remindOn: string; dueOn: string; told: DeadlineNews }

/** People are reminded on the working day before, but not on the day on which they were asked. */
export function deadlineFrom(askedOn: string, days: number): Omit<Deadline, 'told'> {
  const dueOn = addWorkingDays(askedOn, days)
  const before = workingDayBefore(dueOn)
  return { dueOn, remindOn: before > askedOn ? before : dueOn }
}

/** The news to tell today, or null; nothing is told twice. */
export function newsOf({ remindOn, dueOn, told }: Deadline, today: string): 'reminded' | 'overdue' | null {
  if (told === 'overdue') return null
  if (today > dueOn) return 'overdue'
  return told === 'nothing' && today >= remindOn ? 'reminded' : null
}

/**
 * For how many working days the deadline has passed; null if it has not. A weekend after the last day counts as none.
 */
export function daysOver(dueOn: string, today: string): number | null {
  return today > dueOn ? workingDaysUntil(dueOn, today) : null
}

/** How many working days are left after today; null if the deadline has passed. */
export function daysLeft(dueOn: string, today: string): number | null {
  return today > dueOn ? null : workingDaysUntil(today, dueOn)
}
