/**
 * The document with every signature inside it and all their evidence (PAdES). The signatures stay as they were made;
 * the evidence is added as one more revision, so it can be added whenever somebody asks.
 */
import { stat } from 'node:fs/promises'
import type { Db } from '@kelisim/db/db.ts'
import type { SignatureEvidence } from '@kelisim/pdf/incremental/evidence-increment.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import { fullOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import type { Borrowed, Storage } from '../../documents/storage/storage.ts'
import { findAcceptedInside, type InsideSignature } from '../../requests/signed-pdf/queries.ts'
import type { Revisions } from '../../requests/signed-pdf/revisions.ts'
import { borrowSignedPdf } from '../../requests/signed-pdf/signed-pdf.ts'
import { findList } from '../../signatures/kept-list-queries.ts'
import { durableCms, findKeptSignatures, longestInside } from './durable.ts'

export type SignedDocumentDependencies = { storage: Storage; revisions: Revisions }

export type SignedDocument = Borrowed & { size: number; signatures: InsideSignature[] }

/** Null: no signature is inside the document. The caller must release what it gets. */
export async function borrowSignedDocument(
  db: Db,
  { storage, revisions }: SignedDocumentDependencies,
  requestId: string,
  /** A revision of a corrected request; undefined: the newest. */
  revision?: number,
): Promise<SignedDocument | null> {
  const signatures = await findAcceptedInside(db, requestId, revision)
  const newest = signatures.at(-1)
  if (!newest) return null
  const borrowed = await borrowSignedPdf(storage, newest, null)
  try {
    await revisions.prove(borrowed.path, await evidenceOfAll(db, requestId, signatures))
    return { ...borrowed, size: (await stat(borrowed.path)).size, signatures }
  } catch (error) {
    await borrowed.release()
    throw error
  }
}

async function evidenceOfAll(
  db: Db,
  requestId: string,
  signatures: readonly InsideSignature[],
): Promise<SignatureEvidence> {
  const inside = new Set(signatures.map(({ id }) => id))
  const kept = (await findKeptSignatures(db, requestId)).filter(({ id }) => inside.has(id))
  const [certificates, ocsp, lists] = [
    new Map<string, Uint8Array>(),
    new Map<string, Uint8Array>(),
    new Map<string, Uint8Array>(),
  ]
  for (const one of kept) {
    const durable = await durableCms(db, one)
    for (const der of durable.chain) certificates.set(toHex(der), der)
    for (const der of durable.ocsp) ocsp.set(toHex(der), fullOcspResponse(der))
    for (const { sha256, size } of durable.lists) {
      if (size <= longestInside) lists.set(sha256, (await findList(db, sha256))!)
    }
  }
  return {
    certificates: [...certificates.values()],
    ocspResponses: [...ocsp.values()],
    crls: [...lists.values()],
  }
}
