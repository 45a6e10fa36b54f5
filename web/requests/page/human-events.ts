/** Selects what people did to a request from all its recorded events. */
import type * as z from 'zod/mini'
import type { RequestEventView } from '@kelisim/domain/requests/contract.ts'
import { requestStatusOf, terminatingStatuses } from '@kelisim/domain/requests/status.ts'
import type { Doer } from '../shared/actor-name.ts'

export type EventView = z.output<typeof RequestEventView>

/** The types of events that the short history shows; the keys of `history.said` in texts/…/requests.json. */
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

/** The wording of these events while a document is being terminated. */
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

/**
 * Keeps the given order. A signature appears once it was found valid, with the time and the comment of its signing.
 */
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

/** A colleague was told of their turn, which is a matter of course: only the whole record shows it. */
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

/** The owner of the certificate; if it could not be read, the person who submitted the signature. */
function signerOf({ data }: EventView, given: EventView | undefined): Doer | null {
  const owner = data['owner']
  const actor = given?.actor ?? null
  if (typeof owner !== 'string' || owner === '') return actor
  return actor?.insteadOf === undefined
    ? { fullName: owner }
    : { fullName: owner, insteadOf: actor.insteadOf }
}
