/** Durations in milliseconds, the unit of dates and timers. */
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** Cookies and jobs count in seconds. */
export const yearInSeconds = (365 * day) / second

export function after(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds)
}
