import { setTimeout as pause } from 'node:timers/promises'

/** Longer than the work behind a form takes, so that the response time does not reveal whether an e-mail is known. */
const minimumDuration = 200

export async function takeAtLeast<T>(work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([work, pause(minimumDuration)])
  return result
}
