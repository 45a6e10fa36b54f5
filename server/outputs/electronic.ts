/**
 * The electronic document for verification: one CMS with the document inside and all signers with their evidence, or the
 * PDF or XML itself where it was signed inside. Only XML is held in memory whole.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Db } from '@kelisim/db/db.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { downloadElectronic, downloadElectronicByCode } from '@kelisim/domain/outputs/electronic-contract.ts'
import type { signedSets } from '@kelisim/domain/requests/files-contract.ts'
import type { Viewer } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { isSame } from '@kelisim/signature/asn1/values.ts'
import { readableCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { mergeAttached, onePerKey } from '@kelisim/signature/cms/build.ts'
import { embeddedEvidence } from '@kelisim/signature/cms/embedded-evidence.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import { isXmlSignature } from '@kelisim/signature/xml/enveloped-element.ts'
import type { Storage } from '../documents/storage/storage.ts'
import { borrowVerified, type KeptFile } from '../documents/storage/verified.ts'
import type { Files, ServedFile } from '../http/files.ts'
import { requestHeldBy } from '../requests/core/access-codes.ts'
import { giveArchive, oneAtATime } from '../requests/reading/archive.ts'
import { safeName } from '../requests/reading/archive-names.ts'
import { partyOf, visibleRequest } from '../requests/core/party.ts'
import { fileOf, hiddenPoints } from '../requests/reading/handlers.ts'
import { serveBytes } from '../requests/reading/served-bytes.ts'
import { signedXmlOf } from '../requests/reading/signature-entries.ts'
import { durableSignatures, type DurableSignature, type KeptSignature } from './core/durable.ts'
import { borrowSignedDocument, type SignedDocumentDependencies } from './core/signed-document.ts'
import { campaignPointIds, signingPointIds, type LoadedRequest } from '../requests/core/loaded.ts'

type Process = (typeof signedSets)[number]

export function electronicHandlers(files: Files, dependencies: SignedDocumentDependencies): void {
  const { storage } = dependencies
  const inTurn = oneAtATime()
  const give = async (db: Db, loaded: LoadedRequest, process: Process, viewer: Viewer | null) =>
    (process === 'signing' && (await giveSignedPdf(db, dependencies, loaded))) ||
    giveElectronic(db, storage, loaded, process, viewer)

  files.give(downloadElectronic, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    const loaded = await visibleRequest(db, input.signingRequestId, party)
    return inTurn(party.viewer.id, () => give(db, loaded, input.process, party.viewer))
  })

  files.give(downloadElectronicByCode, async ({ input, db, write, now, address }) => {
    const loaded = await requestHeldBy(write, { ...input, address }, now)
    // Holders of a code are anonymous, so the limit applies to all of them together.
    return inTurn(loaded.row.id, () => give(db, loaded, 'signing', null))
  })
}

/** A document with its signatures inside is the electronic document itself. */
async function giveSignedPdf(
  db: Db,
  dependencies: SignedDocumentDependencies,
  { row }: LoadedRequest,
): Promise<ServedFile | null> {
  const signed = await borrowSignedDocument(db, dependencies, row.id)
  if (!signed) return null
  const { path, size, release } = signed
  return { path, size, release, name: safeName(row.fileName, 'document.pdf'), mediaType: mediaTypes.pdf }
}

export async function giveElectronic(
  db: Db,
  storage: Storage,
  loaded: LoadedRequest,
  process: Process,
  /** Null: a holder of a code, who takes no part in the request. */
  viewer: Viewer | null = null,
): Promise<ServedFile> {
  const isTerminating = process === 'terminating'
  const { file, name } = await fileOf(db, loaded.row, isTerminating ? 'terminating' : 'original')
  const kept = await durableSignatures(db, loaded, process, takenFor(loaded, viewer))
  if (kept.length === 0) {
    refuse(isTerminating ? 'signed-terminating-document-not-found' : 'signed-signing-document-not-found')
  }
  if (kept.every(({ cms }) => isXmlSignature(cms))) return giveSignedXml(storage, file, name, kept)
  const signatures = onePerKey(kept.map(({ cms }) => cms))
  const { head, tail } = mergeAttached(signatures, file.size, signatures.flatMap(centresOf))
  const folder = await mkdtemp(join(tmpdir(), 'kelisim-electronic-'))
  const release = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'electronic.cms')
  try {
    const borrowed = await borrowVerified(storage, file)
    try {
      await pipeline(Readable.from(around(head, borrowed.path, tail)), createWriteStream(path))
    } finally {
      await borrowed.release()
    }
    const size = head.length + file.size + tail.length
    return {
      path,
      size,
      release,
      name: `${safeName(name, 'document')}.cms`,
      mediaType: 'application/pkcs7-mime',
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** In a campaign its author and the owners get everybody's signature, the others only their own. */
function takenFor(loaded: LoadedRequest, viewer: Viewer | null): (one: KeptSignature) => boolean {
  const signing = signingPointIds(loaded.signing)
  const campaign = campaignPointIds(loaded.signing)
  const hidden = viewer ? hiddenPoints(loaded, viewer) : campaign
  return ({ pointId, actor }) =>
    signing.includes(pointId) ||
    (campaign.includes(pointId) && (!hidden.includes(pointId) || actor.id === viewer?.id))
}

/**
 * The XML with the signature inside; for several signers an archive, because each signed the document as it was sent.
 */
async function giveSignedXml(
  storage: Storage,
  file: KeptFile,
  name: string,
  signatures: readonly DurableSignature[],
): Promise<ServedFile> {
  const [first, ...others] = signatures
  if (others.length === 0) {
    const bytes = await signedXmlOf(storage, file, first!.cms)
    return serveBytes(bytes, { name: safeName(name, 'document.xml'), mediaType: mediaTypes.xml })
  }
  const entries = signatures.map(({ fileName, receivedAt, cms }) => ({
    name: fileName,
    at: receivedAt,
    open: async () => ({ bytes: await signedXmlOf(storage, file, cms) }),
  }))
  return giveArchive(entries, `${safeName(name, 'document')}.zip`)
}

async function* around(head: Uint8Array, path: string, tail: Uint8Array): AsyncGenerator<Uint8Array> {
  yield head
  yield* createReadStream(path) as AsyncIterable<Uint8Array>
  yield tail
}

/** The chain without its root, which a verifier must already trust. */
function centresOf(cms: Uint8Array): Uint8Array[] {
  const { certificates } = embeddedEvidence(readSignedData(cms).signers[0]!.unsignedAttributes)
  return certificates.filter((der) => {
    const certificate = readableCertificate(der)
    return certificate !== null && !isSame(certificate.issuer, certificate.subject)
  })
}
