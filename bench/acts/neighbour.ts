/** The list of requests of an organisation that does nothing else, beside 24 people of others who send all the time. */
import { rounded, type Measure } from '../parts/measure.ts'
import { withSenders, type Sender } from './senders.ts'

const goal = 2
const organizations = 8
const people = 3
const calls = 60
const delayMs = 2.5

export function neighbour(): Promise<Measure> {
  return withSenders(
    { port: 3320, delayMs, organizations: organizations + 1 },
    async ({ product, senders }) => {
      const [reader, ...others] = senders as [Sender, ...Sender[]]
      const list = `${product.url}/api/SigningRequests/${reader.organizationId}/outgoings/0/20`
      const median = () => medianOf(list, reader.cookie)
      const calm = await median()
      const over = { isOver: false }
      let sent = 0
      const sending = others.flatMap((one) =>
        Array.from({ length: people }, async () => {
          while (!over.isOver) {
            await one.send()
            sent++
          }
        }),
      )
      const beside = await median()
      over.isOver = true
      await Promise.all(sending)
      const ratio = rounded(beside / calm)
      return {
        name: 'neighbour',
        value: rounded(beside),
        anchor: rounded(calm),
        ratio,
        goal: `ratio <= ${goal}`,
        ok: ratio <= goal,
        note: `milliseconds of a list, median of ${calls}; ${sent} sent meanwhile`,
      }
    },
  )
}

async function medianOf(url: string, cookie: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < calls + 10; i++) {
    const began = performance.now()
    const response = await fetch(url, { headers: { cookie } })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${url} responded ${response.status}`)
    if (i >= 10) times.push(performance.now() - began)
  }
  return times.toSorted((one, other) => one - other)[Math.floor(calls / 2)]!
}
