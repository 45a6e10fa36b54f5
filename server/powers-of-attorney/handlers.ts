/** The register of powers of attorney: owners register what the head has signed here, and revoke it. */
import type * as z from 'zod/mini'
import { newId } from '@kelisim/db/id.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  addPower,
  getPowerDocuments,
  getPowers,
  revokePower,
  type PowerView,
} from '@kelisim/domain/powers-of-attorney/contract.ts'
import { powerState } from '@kelisim/domain/powers-of-attorney/power.ts'
import type { Http } from '../http/open.ts'
import { findCard } from '../identity/core/card-queries.ts'
import { addEvent } from '../identity/core/queries.ts'
import { findHeadSignature } from './head-signature.ts'
import {
  addPowerRow,
  findPower,
  findPowers,
  findSignedRequests,
  isRequestOf,
  revokePowerRow,
  type PowerRow,
} from './queries.ts'

export function openPowersOfAttorney({ serve }: Http): void {
  serve(getPowers, async ({ input, who, db, now }) => {
    const { items, totalCount } = await findPowers(db, who.member.organizationId, input)
    return { totalCount, items: items.map((row) => powerView(row, now)) }
  })

  serve(getPowerDocuments, async ({ input, who, db }) => {
    const { organizationId } = who.member
    const { bin } = await findCard(db, organizationId)
    const { items, totalCount } = await findSignedRequests(db, { organizationId, bin }, input)
    return {
      totalCount,
      items: items.map((row) => ({ ...row, signedAt: row.signedAt.toISOString() })),
    }
  })

  serve(addPower, ({ input, who, now, write }) =>
    write(async (tx) => {
      const { signingRequestId: requestId, ...fields } = input
      const { organizationId } = who.member
      const { bin, confirmedAt } = await findCard(tx, organizationId)
      if (confirmedAt === null) refuse('organization-not-confirmed', { bin })
      if (fields.validUntil < dateInAlmaty(now)) refuse('power-over-already')
      if (!(await isRequestOf(tx, organizationId, requestId))) refuse('signing-request-not-found')
      const signature = await findHeadSignature(tx, { organizationId, bin, requestId })
      const { fileName, signedBy, signedAt } = signature ?? refuse('power-document-not-signed')
      const id = newId(now.getTime())
      await addPowerRow(tx, {
        ...fields,
        id,
        organizationId,
        bin,
        requestId,
        fileName,
        signedBy,
        signedAt,
        counterparties: [...new Set(fields.counterparties)],
        registeredBy: who.userId,
        registeredAt: now,
        revokedBy: null,
        revokedAt: null,
      })
      const subject = `${fields.number}, ${fields.holderName}`
      const event = { type: 'power-registered', subject, details: { id, ...fields } } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      return powerView((await findPower(tx, organizationId, id))!, now)
    }),
  )

  serve(revokePower, ({ input: { powerId }, who, now, write }) =>
    write(async (tx) => {
      const { organizationId } = who.member
      const row = (await findPower(tx, organizationId, powerId)) ?? refuse('power-not-found')
      const isRevoked = await revokePowerRow(tx, row.id, { revokedBy: who.userId, revokedAt: now })
      if (isRevoked) {
        const subject = `${row.number}, ${row.holderName}`
        const event = { type: 'power-revoked', subject, details: { id: row.id } } as const
        await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      }
      return powerView((await findPower(tx, organizationId, powerId))!, now)
    }),
  )
}

function powerView(row: PowerRow, now: Date): z.input<typeof PowerView> {
  return {
    id: row.id,
    number: row.number,
    holderIin: row.holderIin,
    holderName: row.holderName,
    direction: row.direction,
    counterparties: row.counterparties,
    note: row.note,
    validFrom: row.validFrom,
    validUntil: row.validUntil,
    state: powerState(row, now),
    document: {
      signingRequestId: row.requestId,
      fileName: row.fileName,
      signedBy: row.signedBy,
      signedAt: row.signedAt.toISOString(),
    },
    registeredBy: row.registeredByName,
    registeredAt: row.registeredAt.toISOString(),
    revokedAt: row.revokedAt?.toISOString() ?? null,
  }
}
