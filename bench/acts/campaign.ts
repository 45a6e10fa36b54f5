/**
 * Confirmations of a campaign of 500 people against those of campaigns of 10: everybody opens the document and
 * confirms it, eight at a time. The cost of a confirmation must not grow with the number of others.
 */
import { newId } from '@kelisim/db/id.ts'
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { rounded, type Measure } from '../parts/measure.ts'
import { sessionOf } from '../parts/session.ts'
import { caller, uploadPath } from '../parts/work.ts'
import { addMember, withSenders, type SenderPlace, type Sender } from './senders.ts'

const most = 2
const large = 500
/** Fewer campaigns in all than one person may begin in a minute. */
const small = { people: 10, campaigns: 6 }
const atOnce = 8

export async function campaign(): Promise<Measure> {
  return withSenders({ port: 3320, delayMs: 0, organizations: 2 }, async (place) => {
    const [few, many] = place.senders as [Sender, Sender]
    const fewPeople = await addPeople(place, few, small.people - 1)
    const manyPeople = await addPeople(place, many, large - 1)
    const { url } = place.product
    await confirmAll(url, few, fewPeople)
    let anchor = 0
    for (let i = 0; i < small.campaigns; i++) anchor += (await confirmAll(url, few, fewPeople)).each
    anchor /= small.campaigns
    const { each: value, started } = await confirmAll(url, many, manyPeople)
    const ratio = rounded(value / anchor)
    return {
      name: 'campaign',
      value: rounded(value),
      anchor: rounded(anchor),
      ratio,
      goal: `<= ${most} x the time of a confirmation in a campaign of ${small.people}`,
      ok: ratio <= most,
      note: `milliseconds a confirmation with its reading, ${large} people, ${atOnce} at once; it began in ${rounded(started)} ms`,
    }
  })
}

type Employee = Pick<Sender, 'cookie' | 'call'>

/** Employees with a session each. */
async function addPeople({ product, client }: SenderPlace, { organizationId }: Sender, count: number) {
  const people: Employee[] = []
  for (let i = 0; i < count; i++) {
    const cookie = await sessionOf(client, await addMember(client, organizationId, 'Employee'))
    people.push({ cookie, call: caller(product, cookie) })
  }
  return people
}

/** A campaign for everybody: milliseconds until it was sent, and of each confirmation. */
async function confirmAll(url: string, author: Sender, people: readonly Employee[]) {
  const { call, organizationId } = author
  const { id: documentId } = await call(uploadPath(organizationId), makePdf([newId()]))
  const began = performance.now()
  const form = { documentId, name: 'Rules', isEverybody: true }
  const { signingRequestId } = await call<{ signingRequestId: string }>(`Campaigns/${organizationId}`, form)
  const started = performance.now() - began
  const waiting = [author, ...people]
  const from = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let person = waiting.pop(); person; person = waiting.pop())
        await confirm(url, person, { organizationId, signingRequestId })
    }),
  )
  return { started, each: (performance.now() - from) / (people.length + 1) }
}

async function confirm(
  url: string,
  { cookie, call }: Employee,
  { organizationId, signingRequestId }: { organizationId: string; signingRequestId: string },
): Promise<void> {
  const page = await fetch(`${url}/api/SigningRequests/${organizationId}/${signingRequestId}`, {
    headers: { cookie },
  })
  const { points } = (await page.json()) as { points: { pointId: string }[] }
  const { pointId } = points[0]!
  const act = `SigningRequests/${organizationId}/InternalInformationConfirm/confirm`
  await call(act, { signingRequestId, pointId })
}
