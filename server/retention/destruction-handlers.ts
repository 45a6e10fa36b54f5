/** Acts by which documents are destroyed: an act is made, signed by the head like any document, and carried out. */
import type * as z from 'zod/mini'
import type { Db } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  carryOutDestruction,
  getActDocuments,
  getDestructionActs,
  prepareDestruction,
  type DestructionAct,
} from '@kelisim/domain/retention/destruction-contract.ts'
import { waitsFor, whyNotInAct } from '@kelisim/domain/retention/destruction.ts'
import { addDocument } from '../documents/queries.ts'
import { discardAfterRollback, keepBytes } from '../documents/keep-bytes.ts'
import type { Http } from '../http/open.ts'
import { findCard } from '../identity/core/card-queries.ts'
import { addEvent } from '../identity/core/queries.ts'
import { findHeadSignature } from '../powers-of-attorney/head-signature.ts'
import type { RichText } from '../rich-text/rich-text.ts'
import { actHtml, actTitle } from './act-document.ts'
import { destroyOrdered } from './destroy.ts'
import {
  addAct,
  findAct,
  findActs,
  findItems,
  findKeepers,
  findRequestsWithAct,
  lockAct,
  saveCarriedOut,
  type ActRow,
} from './destruction-queries.ts'
import { findEndedSome, findTerms } from './queries.ts'
import { retained } from './retained.ts'
import type { TransferParts } from './transfer.ts'

type DestructionParts = Pick<TransferParts, 'database' | 'storage'> & { richText: RichText }

export function destructionHandlers({ serve }: Pick<Http, 'serve'>, parts: DestructionParts): void {
  const { database, storage, richText } = parts

  serve(getDestructionActs, async ({ input, who, db }) => {
    const { items, totalCount } = await findActs(db, who.member.organizationId, input)
    const views: View[] = []
    for (const row of items) views.push(await actView(db, row))
    return { totalCount, items: views }
  })

  serve(getActDocuments, async ({ input: { actId }, who, db }) => {
    const act = (await findAct(db, who.member.organizationId, actId)) ?? refuse('act-not-found')
    const items = await findItems(db, act.id)
    const ids = items.map(({ requestId }) => requestId)
    const keepers = await findKeepers(db, ids)
    return {
      documents: items.map(({ requestId, name, sha256, destroyedAt }) => ({
        signingRequestId: requestId,
        name,
        sha256: sha256.toString('hex'),
        isGone: destroyedAt !== null,
        waitsFor: destroyedAt === null ? waitsFor(keepers.get(requestId) ?? []) : [],
      })),
    }
  })

  serve(prepareDestruction, async ({ input, who, db, now, write, language }) => {
    const { organizationId } = who.member
    const ids = [...new Set(input.signingRequestIds)]
    const card = await confirmedCard(db, organizationId)
    const documents = await dueDocuments(db, card, ids, now)
    const date = dateInAlmaty(now).split('-').toReversed().join('.')
    const title = actTitle(language, date)
    const html = actHtml(language, {
      organization: { name: card.shortName, bin: card.bin },
      date,
      documents: documents.map((one) => ({ ...one, sha256: one.sha256.toString('hex') })),
    })
    const claimant = { organization: organizationId, person: who.userId }
    const { pdf } = await richText.print(html, title, { mustBeFilled: false, claimant })
    const file = await keepBytes(storage, organizationId, pdf)
    const actId = newId(now.getTime())
    const fileName = `${title}.pdf`
    await write(async (tx) => {
      await dueDocuments(tx, card, ids, now)
      const { id: fileId, sha256, size } = file
      const document = await addDocument(tx, {
        id: newId(),
        organizationId,
        authorId: who.userId,
        fileId,
        size,
        sha256,
        format: 'pdf',
        name: fileName,
        description: '',
        visibility: 'private',
        createdAt: now,
      })
      const act = { id: actId, organizationId, fileId, fileName, documentId: document!.id }
      await addAct(
        tx,
        { ...act, preparedBy: who.userId, preparedAt: now },
        documents.map((one) => ({
          requestId: one.signingRequestId,
          name: one.name,
          endedOn: one.endedOn,
          keptUntil: one.until!,
          basis: one.basis!,
          sha256: one.sha256,
        })),
      )
      const event = { type: 'destruction-prepared', subject: fileName, details: { actId, ids } } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
    }).catch(async (error: unknown) => {
      await discardAfterRollback(storage, file, error)
      throw error
    })
    return actView(database.db, (await findAct(database.db, organizationId, actId))!)
  })

  serve(carryOutDestruction, async ({ input: { actId }, who, now, write }) => {
    const { organizationId } = who.member
    await write(async (tx) => {
      const act = (await findAct(tx, organizationId, actId)) ?? refuse('act-not-found')
      await lockAct(tx, act.id)
      const card = await confirmedCard(tx, organizationId)
      const { carriedOutAt } = (await findAct(tx, organizationId, actId))!
      if (carriedOutAt !== null) refuse('act-carried-out')
      const signed = (await signedAct(tx, act, card.bin)) ?? refuse('act-not-signed')
      const items = await findItems(tx, act.id)
      const ids = items.map(({ requestId }) => requestId)
      const documents = await dueDocuments(tx, card, ids, now)
      const isSame = documents.every((one) =>
        items.some(
          ({ requestId, sha256 }) => requestId === one.signingRequestId && sha256.equals(one.sha256),
        ),
      )
      if (!isSame) throw new Error(`The act ${act.id} names other bytes than its documents have`)
      await saveCarriedOut(tx, act.id, {
        requestId: signed.requestId,
        signedBy: signed.signedBy,
        signedAt: signed.signedAt,
        carriedOutBy: who.userId,
        carriedOutAt: now,
      })
      const details = { actId, requestId: signed.requestId, ids }
      const event = { type: 'destruction-carried-out', subject: act.fileName, details } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
    })
    await destroyOrdered(database, storage, now)
    return actView(database.db, (await findAct(database.db, organizationId, actId))!)
  })
}

type Card = Awaited<ReturnType<typeof findCard>>

async function confirmedCard(db: Db, organizationId: string): Promise<Card> {
  const card = await findCard(db, organizationId)
  if (card.confirmedAt === null) refuse('organization-not-confirmed', { bin: card.bin })
  return card
}

/** Returns all of these documents, or refuses with the name of the first that may not be destroyed. */
async function dueDocuments(db: Db, { id: organizationId, bin }: Card, ids: readonly string[], now: Date) {
  const rows = await findEndedSome(db, { organizationId, bin }, ids)
  if (rows.length < ids.length) refuse('signing-request-not-found')
  const terms = await findTerms(db, organizationId)
  const keepers = await findKeepers(db, ids)
  return rows.map((row) => {
    const document = { ...retained(row, terms, dateInAlmaty(now)), sha256: row.sha256 }
    const why = whyNotInAct(document.state, keepers.get(row.id) ?? [], organizationId)
    if (why) refuse(why, { name: document.name })
    return document
  })
}

/** The first request with this very file that the head has signed. */
async function signedAct(db: Db, act: Pick<ActRow, 'organizationId' | 'fileId'>, bin: string) {
  for (const requestId of await findRequestsWithAct(db, act)) {
    const signature = await findHeadSignature(db, { organizationId: act.organizationId, bin, requestId })
    if (signature) return { requestId, ...signature }
  }
  return null
}

type View = z.input<typeof DestructionAct>

async function actView(db: Db, row: ActRow): Promise<View> {
  const { id, fileName, documentId, preparedByName, preparedAt, carriedOutAt, documentCount, goneCount } = row
  const done =
    row.requestId === null
      ? null
      : { requestId: row.requestId, signedBy: row.signedBy!, signedAt: row.signedAt! }
  const signed = done ?? (await signedAct(db, row, (await findCard(db, row.organizationId)).bin))
  return {
    id,
    state: carriedOutAt ? 'carriedOut' : signed ? 'signed' : 'prepared',
    fileName,
    documentId,
    preparedBy: preparedByName,
    preparedAt: preparedAt.toISOString(),
    signed: signed && {
      signingRequestId: signed.requestId,
      by: signed.signedBy,
      at: signed.signedAt.toISOString(),
    },
    carriedOutAt: carriedOutAt?.toISOString() ?? null,
    documentCount,
    goneCount,
  }
}
