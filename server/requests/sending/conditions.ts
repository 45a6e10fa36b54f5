/** The way of a document along a route with conditions, judged by what is known of it when it is sent. */
import type { Db } from '@kelisim/db/db.ts'
import { maySee } from '@kelisim/domain/documents/permissions.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { pointTypes } from '@kelisim/domain/points/point-types.ts'
import type { StoredConditions } from '@kelisim/domain/routes/condition-contract.ts'
import type { PassedPoint } from '@kelisim/domain/requests/life-cycle/events.ts'
import { valuesIn } from '@kelisim/domain/rich-text/fill.ts'
import {
  askedBy,
  askedFacts,
  factsInText,
  joinedFacts,
  wayOf,
  type ConditionQuestions,
  type DocumentFacts,
  type Verdict,
  type JudgedWay,
} from '@kelisim/domain/routes/condition.ts'
import { findDocument } from '../../documents/queries.ts'
import { findKind } from '../../registers/core/queries.ts'
import { findWrittenText } from '../../rich-text/queries.ts'
import { numberOf, type PlacedPoint } from '../../routes/placed-points.ts'
import type { Sender } from './sender.ts'

type TextFacts = Omit<DocumentFacts, 'kind'>

/** What the sender names with a document. */
export type AboutDocument = {
  documentId: string
  kindId?: string | undefined
  facts?: TextFacts | undefined
}

type NumberedPoint = PlacedPoint & { bin: string }

export type RouteWay = JudgedWay<NumberedPoint> & { asked: ConditionQuestions; said: TextFacts }

const nothing: TextFacts = { amount: null, variables: {} }

/** Asks only for what the conditions need, so a route without any costs no statement. */
export async function wayAlong(
  db: Db,
  sender: Sender,
  points: readonly PlacedPoint[],
  { documentId, kindId, facts = nothing }: AboutDocument,
): Promise<RouteWay> {
  const { organizationId } = sender
  const asked = askedBy(points)
  const asksText = asked.amount || asked.variables.length > 0
  const text = asksText ? await visibleText(db, sender, documentId) : undefined
  const said = text ? factsInText(valuesIn(text.html)) : { ...nothing, saysAmount: false }
  const kind = asked.kind && kindId !== undefined ? await findKind(db, organizationId, kindId) : undefined
  const named = kind ? { id: kind.id, name: kind.name } : null
  const known = askedFacts(asked, joinedFacts(named, said, facts))
  const numbered = points.map((point) => ({ ...point, bin: numberOf(point) }))
  return { ...wayOf(numbered, known), asked, said }
}

/** The facts in a text are shown, and decide, only if the sender may read it. */
async function visibleText(
  db: Db,
  sender: Sender,
  documentId: string,
): Promise<{ html: string } | undefined> {
  const document = await findDocument(db, sender.organizationId, documentId)
  const isVisible = document && maySee({ ...document, isInLiveRequest: false }, sender)
  return isVisible ? findWrittenText(db, sender.organizationId, documentId) : undefined
}

/** A document that nobody would get is not sent. */
export function refuseUntaken(points: readonly PlacedPoint[], { taken }: RouteWay): void {
  if (points.length > 0 && taken.length === 0) refuse('no-point-taken')
}

/** The conditions as the request keeps them; null: the route has no conditions. */
export function storedConditions({ judged, facts }: RouteWay): StoredConditions | null {
  if (judged.length === 0) return null
  return {
    facts: { ...facts, counterparties: [...facts.counterparties] },
    points: judged.map(({ point, condition, verdict }) => ({
      pointId: point.pointId,
      order: point.order,
      name: point.name,
      type: pointTypes.of(point.type),
      organizationName: point.organizationName || point.ownName,
      condition,
      verdict,
    })),
  }
}

export function passedOver(conditions: StoredConditions | null): PassedPoint[] {
  const passed = conditions?.points.filter(({ verdict }) => verdict === 'notMet') ?? []
  return passed.map(({ pointId, name, order, condition }) => ({ pointId, name, order, condition }))
}

export function verdictsOf({ judged }: RouteWay): Map<string, Verdict> {
  return new Map(judged.map(({ point, verdict }) => [point.pointId, verdict]))
}

/** The conditions as the answer of a trial shows them. */
export function conditionsView({ judged, asked, said, facts }: RouteWay) {
  if (judged.length === 0) return null
  const own = askedFacts(asked, { kind: null, ...said })
  return {
    asked,
    said: { amount: own.amount, variables: { ...own.variables } },
    facts: { ...facts, variables: { ...facts.variables }, counterparties: [...facts.counterparties] },
  }
}
