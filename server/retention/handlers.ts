/** Terms of retention, legal holds, and packages for a state archive. */
import type { Db } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  addRetentionTerm,
  downloadTransferPackage,
  getRetainedDocuments,
  getRetentionTerms,
  holdDocument,
  liftHold,
  mostTerms,
} from '@kelisim/domain/retention/contract.ts'
import type { Http } from '../http/open.ts'
import { findCard } from '../identity/core/card-queries.ts'
import { addEvent } from '../identity/core/queries.ts'
import { findKind } from '../registers/core/queries.ts'
import { lockRequestRow } from '../requests/core/queries/requests.ts'
import { partyOf, visibleRequest } from '../requests/core/party.ts'
import { oneAtATime } from '../requests/reading/archive.ts'
import type { RichText } from '../rich-text/rich-text.ts'
import { destructionHandlers } from './destruction-handlers.ts'
import {
  addHold,
  addTerm,
  findEnded,
  findEndedSome,
  findNameOf,
  findTerms,
  liftHoldRow,
  type Holder,
  type TermRow,
} from './queries.ts'
import { retained } from './retained.ts'
import { transferPackage, type TransferParts } from './transfer.ts'

export function openRetention({ serve, files }: Http, parts: TransferParts & { richText: RichText }): void {
  destructionHandlers({ serve }, parts)

  serve(getRetentionTerms, async ({ who, db }) => {
    const terms = await findTerms(db, who.member.organizationId)
    return { terms: terms.map(termView).toReversed() }
  })

  serve(addRetentionTerm, ({ input, who, now, write }) =>
    write(async (tx) => {
      const { kindId, years, basis, validFrom } = input
      const { organizationId } = who.member
      const kind = kindId === null ? null : await findKind(tx, organizationId, kindId)
      if (kind === undefined) refuse('kind-not-found')
      if ((await findTerms(tx, organizationId)).length >= mostTerms)
        refuse('too-many-terms', { most: mostTerms })
      const id = newId(now.getTime())
      await addTerm(tx, {
        id,
        organizationId,
        kindId,
        years,
        basis,
        validFrom,
        addedBy: who.userId,
        addedAt: now,
      })
      const event = { type: 'retention-term-added', subject: basis, details: { ...input, id } } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      return termView((await findTerms(tx, organizationId)).find((term) => term.id === id)!)
    }),
  )

  serve(getRetainedDocuments, async ({ input, who, db, now }) => {
    const { organizationId } = who.member
    const terms = await findTerms(db, organizationId)
    const { items, totalCount } = await findEnded(db, await holderOf(db, organizationId), input)
    const today = dateInAlmaty(now)
    return { totalCount, items: items.map((row) => retained(row, terms, today)) }
  })

  serve(holdDocument, ({ input: { signingRequestId: requestId, reason }, who, now, write }) =>
    write(async (tx) => {
      const { organizationId } = who.member
      // Locked, so that a destruction of the document either waits or is already over.
      await lockRequestRow(tx, requestId)
      const name = await findNameOf(tx, await holderOf(tx, organizationId), requestId)
      if (name === undefined) refuse('signing-request-not-found')
      const id = newId(now.getTime())
      const hold = { id, organizationId, requestId, reason, setBy: who.userId, setAt: now }
      if (!(await addHold(tx, hold))) refuse('already-held')
      const event = { type: 'hold-set', subject: name, details: { id, requestId, reason } } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      return { id }
    }),
  )

  serve(liftHold, ({ input: { holdId }, who, now, write }) =>
    write(async (tx) => {
      const { organizationId } = who.member
      const lifted = { liftedBy: who.userId, liftedAt: now }
      const name = await liftHoldRow(tx, organizationId, holdId, lifted)
      if (name === undefined) refuse('hold-not-found')
      const event = { type: 'hold-lifted', subject: name, details: { id: holdId } } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      return {}
    }),
  )

  const limited = oneAtATime()
  files.give(downloadTransferPackage, async ({ input: { signingRequestId }, who, db, write, now }) => {
    const { organizationId } = who.member
    const [row] = await findEndedSome(db, await holderOf(db, organizationId), [signingRequestId])
    if (!row) refuse('signing-request-not-found')
    const party = await partyOf(db, who, now)
    const loaded = await visibleRequest(db, signingRequestId, party)
    const about = retained(row, await findTerms(db, organizationId), dateInAlmaty(now))
    const event = { type: 'transfer-made', subject: row.name, details: { requestId: row.id } } as const
    return limited(who.userId, async () => {
      const file = await transferPackage(parts, { loaded, viewer: party.viewer, about, now })
      try {
        await write((tx) => addEvent(tx, { organizationId, by: who.userId, at: now, ...event }))
      } catch (error) {
        await file.release()
        throw error
      }
      return file
    })
  })
}

/** An organisation that has not proved its number holds nothing that was sent to this number. */
async function holderOf(db: Db, organizationId: string): Promise<Holder> {
  const { bin, confirmedAt } = await findCard(db, organizationId)
  return { organizationId, bin: confirmedAt === null ? '' : bin }
}

function termView(row: TermRow) {
  const { id, kindId, kindName, years, basis, validFrom, addedByName, addedAt } = row
  return {
    id,
    kind: kindId === null ? null : { id: kindId, name: kindName ?? '' },
    years,
    basis,
    validFrom,
    addedBy: addedByName,
    addedAt: addedAt.toISOString(),
  }
}
