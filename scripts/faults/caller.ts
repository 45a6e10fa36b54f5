/** A caller who repeats what was not acknowledged, as browsers and programs of people do. */
import { setTimeout as pause } from 'node:timers/promises'
import { post } from '@kelisim/bench/parts/work.ts'
import type { ErrorBody } from '@kelisim/domain/errors.ts'
import type { Act, Journal } from './journal.ts'

export type Reply = { status: number; alias: string | undefined }

/** One attempt. Throws if no response came. */
export type Post = (path: string, body: object | Buffer) => Promise<Reply>

const timeoutMs = 20_000

export function poster(url: string, cookie: string, origin?: string): Post {
  return async (path, body) => {
    const response = await post({ url, cookie, origin }, path, body, AbortSignal.timeout(timeoutMs))
    const text = await response.text()
    const parsed = (text.startsWith('{') ? JSON.parse(text) : {}) as Partial<ErrorBody>
    return { status: response.status, alias: parsed.ExceptionData?.Alias }
  }
}

/** Statuses that mean that the call may work later; every other one is a decision. */
const passing = (status: number) => status >= 500 || status === 429 || status === 423

/** Repeats the act until it is acknowledged or refused; `waiting` are refusals that pass by themselves. */
export async function insist(
  journal: Journal,
  act: Act,
  attempt: () => Promise<Reply>,
  { waiting = [], timeoutMs = 600_000 }: { waiting?: readonly string[]; timeoutMs?: number } = {},
): Promise<boolean> {
  journal.acts.push(act)
  const end = Date.now() + timeoutMs
  let last = ''
  while (Date.now() < end) {
    act.tries += 1
    const reply = await attempt().catch((error: unknown) => (last = String(error)))
    if (typeof reply !== 'string') {
      if (reply.status < 300) {
        act.acknowledgedAt = Date.now()
        journal.note({ acknowledged: act.name, id: act.id, request: act.request, tries: act.tries })
        return true
      }
      last = `${reply.status} ${reply.alias}`
      if (!passing(reply.status) && !waiting.includes(reply.alias ?? '')) break
    }
    await pause(300)
  }
  act.refusal = last
  journal.note({ refused: act.name, id: act.id, request: act.request, reason: last })
  return false
}
