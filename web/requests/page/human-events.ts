/** What people did to a request, out of everything that is recorded of it. */
import type * as z from 'zod/mini'
import type { RequestEventView } from '@kelisim/domain/requests/contract.ts'
import { requestStatusOf, terminatingStatuses } from '@kelisim/domain/requests/status.ts'
import type { Doer } from '../shared/actor-name.ts'

export type EventView = z.output<typeof RequestEventView>

/** The events that people tell each other of; the keys of `history.said` in texts/…/requests.json. */
const told = [
  'sent',
  'registered',
  'corrected',
  'rerouted',
  'sides-changed',
  'proposed',
  'proposal-declined',
  'passed-over',
  'opened',
  'delivered',
  'undelivered',
  'overdue',
  'escalated',
  'expired',
  'signature-accepted',
  'signature-refused',
  'approved',
  'confirmed',
  'rejected',
  'completed',
  'withdrawn',
  'termination-begun',
  'terminated',
] as const
type ToldEvent = (typeof told)[number]

/** What is said instead while a document is being terminated. */
const ofTermination = {
  'signature-accepted': 'termination-accepted',
  rejected: 'termination-rejected',
} as const

export type Wording = ToldEvent | 'escalated-act' | (typeof ofTermination)[keyof typeof ofTermination]

export type HumanEvent = {
  number: number
  at: string
  type: ToldEvent
  said: Wording
  /** Null: nobody in particular did it. */
  by: Doer | null
  comment: string
  source: EventView
}

/** In the order given. A signature is told when it is found valid, with what its owner wrote when signing. */
export function humanEvents(events: readonly EventView[]): HumanEvent[] {
  const givenBySignature = new Map(
    events
      .filter(({ type }) => type === 'signature-taken')
      .map((event) => [event.data['signatureId'], event] as const),
  )
  return events.flatMap((event) => {
    const type = told.find((one) => one === event.type)
    if (!type || isOfColleague(event)) return []
    const given = givenBySignature.get(event.data['signatureId'])
    return [
      {
        number: event.number,
        at: given?.at ?? event.at,
        type,
        said: saidOf(event, type),
        by: signerOf(event, given) ?? event.actor,
        comment: event.comment || (given?.comment ?? ''),
        source: event,
      },
    ]
  })
}

/** That colleagues got the news of their turn is a matter of course, and stands in the whole record only. */
function isOfColleague({ type, data }: EventView): boolean {
  return type === 'delivered' && typeof data['to'] === 'string'
}

function saidOf({ before, data }: EventView, type: ToldEvent): Wording {
  if (type === 'escalated' && data['mayAct'] === true) return 'escalated-act'
  const isTerminating = terminatingStatuses.includes(requestStatusOf(before))
  return isTerminating && isToldApart(type) ? ofTermination[type] : type
}

function isToldApart(type: ToldEvent): type is keyof typeof ofTermination {
  return type in ofTermination
}

/** The owner of the certificate; the person who gave the signature if it could not be read. */
function signerOf({ data }: EventView, given: EventView | undefined): Doer | null {
  const owner = data['owner']
  const actor = given?.actor ?? null
  if (typeof owner !== 'string' || owner === '') return actor
  return actor?.insteadOf === undefined
    ? { fullName: owner }
    : { fullName: owner, insteadOf: actor.insteadOf }
}
