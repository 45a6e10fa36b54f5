/**
 * Requests that eight organisations send a second at once, against those of one organisation, with the database 2.5
 * ms away; and against those of an earlier version, from a checkout that BENCH_BEFORE names.
 */
import { rounded, type Measure } from '../parts/measure.ts'
import { processorTime } from '../parts/product.ts'
import { rateOf, withSenders } from './senders.ts'

const goal = { parallel: 4, before: 3 }
const organizations = 8
const delayMs = 2.5
const each = 25

export async function sends(): Promise<Measure> {
  const before = process.env['BENCH_BEFORE']
  const now = await ratesOf(3280, undefined)
  const then = before === undefined ? undefined : await ratesOf(3300, before)
  const ratio = rounded(now.all / now.one)
  const gain = then && rounded(now.all / then.all)
  return {
    name: 'sends',
    value: rounded(now.all),
    anchor: rounded(now.one),
    ratio,
    goal: `ratio >= ${goal.parallel}, >= ${goal.before} x the version before`,
    ok: ratio >= goal.parallel && (gain === undefined || gain >= goal.before),
    note: [
      `sends a second; ${rounded(now.processor)} ms of the product's processor time each`,
      then === undefined
        ? 'BENCH_BEFORE names no earlier version'
        : `before: ${rounded(then.all)} of all, ${rounded(then.one)} of one, ${rounded(then.processor)} ms; ${gain} x`,
    ].join('; '),
  }
}

const ratesOf = (port: number, root: string | undefined) =>
  withSenders({ port, delayMs, organizations, root }, async ({ product, senders }) => {
    await rateOf(senders, 5)
    const one = await rateOf(senders.slice(0, 1), 40)
    const before = processorTime(product.pid)
    const all = await rateOf(senders, each)
    const processor = (processorTime(product.pid) - before) / (organizations * each)
    return { one, all, processor }
  })
