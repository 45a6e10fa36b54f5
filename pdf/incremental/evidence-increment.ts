/** Adds the evidence of its signatures to a signed PDF: the Document Security Store (ISO 32000-2, 12.8.4.3). */
import { createHash } from 'node:crypto'
import { PDFName, PDFRawStream, type PDFArray } from '@cantoo/pdf-lib'
import { openOriginal, Unprintable, type Original } from './original.ts'
import { outputTo, putTable } from './write.ts'

/** All as DER. */
export type SignatureEvidence = {
  certificates: readonly Uint8Array[]
  ocspResponses: readonly Uint8Array[]
  crls: readonly Uint8Array[]
}

/** Returns the bytes to append to the PDF. */
export async function evidenceIncrement(bytes: Buffer, evidence: SignatureEvidence): Promise<Buffer> {
  const original = await openOriginal(bytes)
  if (!original.before) throw new Unprintable('broken')
  const { context, catalog } = original
  const store = context.obj({
    Type: 'DSS',
    Certs: streamsOf(context, evidence.certificates),
    OCSPs: streamsOf(context, evidence.ocspResponses),
    CRLs: streamsOf(context, evidence.crls),
  })
  catalog.dict.set(PDFName.of('DSS'), context.register(store))
  context.assign(catalog.ref, catalog.dict)
  const pieces: Buffer[] = []
  const out = outputTo(async (piece) => void pieces.push(piece), bytes.length)
  await out.put(Buffer.from('\n'))
  for (const [ref, object] of context.enumerateIndirectObjects()) await out.putObject(ref, object)
  const id = createHash('sha256').update(bytes).update('evidence').digest('hex').slice(0, 32)
  await putTable(out, original, id)
  await out.flush()
  return Buffer.concat(pieces)
}

function streamsOf(context: Original['context'], files: readonly Uint8Array[]): PDFArray {
  return context.obj(
    files.map((bytes) =>
      context.register(PDFRawStream.of(context.obj({ Length: bytes.length }), Uint8Array.from(bytes))),
    ),
  )
}
