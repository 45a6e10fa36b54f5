/**
 * The signatures of a document in an archive: each as a file beside the document, or as the XML with the signature
 * inside.
 */
import { readFile } from 'node:fs/promises'
import type { Db } from '@kelisim/db/db.ts'
import { isXmlSignature } from '@kelisim/signature/xml/enveloped-element.ts'
import { withSignature } from '@kelisim/signature/xml/enveloped.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import { borrowVerified, type KeptFile } from '../../documents/storage/verified.ts'
import { getSignatureBytes } from '../core/queries/signatures.ts'
import type { Entry } from './archive-entry.ts'
import { safeName } from './archive-names.ts'

type ListedSignature = {
  id: string
  isInXml: boolean
  owner: { fullName?: string } | null
  actor: { fullName: string }
  receivedAt: Date
}

export function signatureEntries(
  { db, storage }: { db: Db; storage: Storage },
  signatures: readonly ListedSignature[],
  { fileName, file, unique }: { fileName: string; file: KeptFile; unique: (name: string) => string },
): Entry[] {
  return signatures.map(({ id, isInXml, owner, actor, receivedAt }) => {
    const signer = safeName(owner?.fullName ?? actor.fullName, 'signature')
    return {
      name: unique(`${fileName} - ${signer}.${isInXml ? 'xml' : 'cms'}`),
      at: receivedAt,
      open: async () => {
        const bytes = await getSignatureBytes(db, id)
        return { bytes: isXmlSignature(bytes) ? await signedXmlOf(storage, file, bytes) : bytes }
      },
    }
  })
}

/** The XML of one signer: the document as it was sent, with their signature inside. */
export async function signedXmlOf(
  storage: Storage,
  document: KeptFile,
  signature: Uint8Array,
): Promise<Uint8Array> {
  const borrowed = await borrowVerified(storage, document)
  try {
    return withSignature(await readFile(borrowed.path), signature)
  } finally {
    await borrowed.release()
  }
}
