/** Calls for the holder of a printed document, who has the code on it but neither an account nor a key. */
import type * as z from 'zod/mini'
import type { Db } from '@kelisim/db/db.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  downloadByCode,
  makeAccessCodes,
  openByCode,
  type HeldRequest,
} from '@kelisim/domain/requests/holder-contract.ts'
import { mayEditRequest } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { Files } from '../../http/files.ts'
import type { Serve } from '../../http/serve.ts'
import { keepCodes, newCodes, printedCodes, requestFoundBy, requestHeldBy } from '../core/access-codes.ts'
import { partyOf, visibleRequest } from '../core/party.ts'
import { findSigningSignatures, senderView, signatureView } from '../core/views.ts'
import type { LoadedRequest } from '../core/loaded.ts'

export function holderHandlers(
  serve: Serve,
  files: Files,
  { storage, publicUrl }: { storage: Storage; publicUrl: URL },
): void {
  serve(makeAccessCodes, async ({ input, who, db, write, now }) => {
    const party = await partyOf(db, who, now)
    const { row } = await visibleRequest(db, input.signingRequestId, party)
    if (!mayEditRequest(row, party.viewer)) refuse('improper-role')
    const codes = await newCodes(row)
    await write((tx) => keepCodes(tx, row.id, codes, now))
    return printedCodes(row, codes, publicUrl)
  })

  serve(openByCode, async ({ input, db, write, now, address }) => {
    const { signingRequestId, code } = input
    const held =
      signingRequestId === undefined
        ? requestFoundBy(write, { code, address }, now)
        : requestHeldBy(write, { signingRequestId, code, address }, now)
    return heldView(db, await held)
  })

  files.give(downloadByCode, async ({ input, write, now, address }) => {
    const { row } = await requestHeldBy(write, { ...input, address }, now)
    const { fileId: id, organizationId, sha256, size, destroyedAt } = row
    const borrowed = await borrowVerified(storage, { id, organizationId, sha256, size, destroyedAt })
    return { ...borrowed, size, name: row.fileName, mediaType: mediaTypes[row.format] }
  })
}

/** The document, its signatures and the results of their checks, without route and comments. */
async function heldView(db: Db, { row, signing }: LoadedRequest): Promise<z.input<typeof HeldRequest>> {
  const points = new Map(signing.map((point) => [point.pointId, point]))
  const accepted = await findSigningSignatures(db, { row, signing })
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    signingDate: row.signingDate,
    organization: senderView(row),
    document: {
      fileName: row.fileName,
      format: row.format,
      size: row.size,
      sha256: row.sha256.toString('hex'),
    },
    validUntil: row.accessCodeExpiresOn,
    signatures: accepted.map((signature) => {
      const { id, receivedAt, checkedAt, verdict, certificate, power } = signatureView(signature)
      const point = points.get(signature.pointId)
      const side = { name: point?.organizationName ?? '', bin: point?.bin ?? '' }
      return { id, receivedAt, checkedAt, verdict, certificate, power, side }
    }),
  }
}
