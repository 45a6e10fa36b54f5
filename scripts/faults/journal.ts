/** What callers asked for and were told, kept outside the system that is tested. */
import { appendFileSync } from 'node:fs'

export type ActName = 'upload' | 'send' | 'sign' | 'approve'

export type Act = {
  name: ActName
  /** Chosen by the caller, the same at every repetition. */
  id: string
  request: string
  begunAt: number
  /** Undefined: the act was not acknowledged yet. */
  acknowledgedAt?: number
  /** How often the act was attempted. */
  tries: number
  refusal?: string
}

export type Journal = {
  acts: Act[]
  note: (words: object) => void
}

export function openJournal(file: string): Journal {
  return {
    acts: [],
    note: (words) => appendFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), ...words })}\n`),
  }
}
