/**
 * Makes an evidence bundle (its contents are described in signature/bundle/bundle.ts) with what a person may see of a
 * request. Documents, revocation lists and the history are streamed; the manifest is written last.
 */
import { createHash, createPublicKey, sign, type Hash, type KeyObject } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Database, Db } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { Viewer } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { digestAlgorithmOf } from '@kelisim/signature/certificates/algorithm-identifier.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import {
  bundleFiles,
  bundleFormat,
  type BundleDocument,
  type BundleManifest,
  type BundleRevision,
  type BundleSignatureFiles,
} from '@kelisim/signature/bundle/bundle.ts'
import { isXmlSignature } from '@kelisim/signature/xml/enveloped-element.ts'
import { isByRsa, stampedBytes } from '@kelisim/signature/xml/evidence-properties.ts'
import { pemOf } from '@kelisim/signature/asn1/pem.ts'
import { fullOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import { languages } from '@kelisim/texts/languages.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import { borrowVerified, type KeptFile } from '../../documents/storage/verified.ts'
import type { Entry } from '../../requests/reading/archive-entry.ts'
import { writeArchive } from '../../requests/reading/archive.ts'
import { safeName, uniqueNames } from '../../requests/reading/archive-names.ts'
import { hiddenEvents } from '../../requests/reading/handlers.ts'
import { signedXmlOf } from '../../requests/reading/signature-entries.ts'
import { findList } from '../../signatures/kept-list-queries.ts'
import { originAt } from '../../transparency/checkpoints.ts'
import { headBytes } from '../../transparency/heads.ts'
import type { SignedHead } from '../../transparency/queries.ts'
import { noWitnesses, provingHead, type Witnessing } from '../../transparency/witnesses.ts'
import { borrowSignedDocument, type SignedDocument } from '../core/signed-document.ts'
import type { Revisions } from '../../requests/signed-pdf/revisions.ts'
import { durableCms, findKeptSignatures, sideOf, signerOf, type KeptSignature } from '../core/durable.ts'
import { findRecord } from '../archive/records.ts'
import { entryLines, proofLines } from './history.ts'
import {
  countBundledEvents,
  findAcceptedUntil,
  findTerminatingFiles,
  type BundledHistory,
} from './queries.ts'
import { historyCommand, readmeOf, type ReadmeFacts } from './readme.ts'
import type { LoadedRequest } from '../../requests/core/loaded.ts'
import { findRevisions } from '../../requests/core/queries/revisions.ts'
import { visibleRevisions } from '../../requests/core/revisions.ts'
import { terminatingFileName } from '../../requests/core/terminating-name.ts'

export type BundleMaking = {
  database: Database
  storage: Storage
  revisions: Revisions
  /** Signs the manifest, and the head of the log that proves the history. */
  logKey: KeyObject
  /** The name of the log for witnesses; undefined: the address of the installation names it. */
  logOrigin?: string | undefined
  /** Undefined: nobody witnesses the log. */
  witnessing?: Witnessing | undefined
  publicUrl: URL
  loaded: LoadedRequest
  viewer: Viewer
  /** The signing report as PDF; null if the person may not have one. */
  report: Uint8Array | null
  now: Date
}

export async function makeBundle(making: BundleMaking, path: string): Promise<void> {
  const { database, loaded, viewer, now } = making
  const { db } = database
  const { row } = loaded
  const history: BundledHistory = {
    requestId: row.id,
    last: row.eventsCount,
    hidden: hiddenEvents(loaded, viewer),
  }
  const log = { key: making.logKey, origin: making.logOrigin ?? originAt(making.publicUrl) }
  const proving = await provingHead(database, log, making.witnessing ?? noWitnesses, row.id, now)
  const writing = openWriting(now)
  const documents = await addDocuments(writing, making)
  const earlier = await addEarlier(writing, making)
  const borrowed: SignedDocument[] = []
  try {
    const insides: [string, Inside][] = []
    for (const { revision, file } of [...earlier, { revision: row.revision, file: documents[0]!.file }]) {
      const signed = file === null ? null : await borrowSignedDocument(db, making, row.id, revision)
      if (!signed) continue
      borrowed.push(signed)
      insides.push(...addSignedDocument(writing, signed, file!))
    }
    const collected = { history, inside: new Map(insides), earlier }
    const { signatures, signing } = await addSignatures(writing, making, collected)
    if (signatures.length === 0) refuse('evidence-not-found')
    await addTheRest(writing, making, { history, proving, documents, earlier, signatures, signing }, path)
  } finally {
    for (const signed of borrowed) await signed.release()
  }
}

type Collected = {
  history: BundledHistory
  proving: Awaited<ReturnType<typeof provingHead>>
  documents: BundleDocument[]
  earlier: BundleRevision[]
  signatures: BundleSignatureFiles[]
  signing: Map<string, Signing>
}

/** The history with its proofs, the report, the texts for people, and the manifest. */
async function addTheRest(
  writing: Writing,
  making: BundleMaking,
  { history, proving, documents, earlier, signatures, signing }: Collected,
  path: string,
): Promise<void> {
  const { report, now } = making
  const { db } = making.database
  const { row } = making.loaded
  const { head } = proving
  writing.addPieces(bundleFiles.entries, () => entryLines(db, history))
  writing.addPieces(bundleFiles.proofs, () => proofLines(db, history, head.size))
  writing.add(historyCommand, await readFile(new URL('check-history.txt', import.meta.url)))
  addLog(writing, making.logKey, head)
  writing.add(bundleFiles.checkpoint, proving.note)
  if (report) writing.add(bundleFiles.report, report)
  const facts: Omit<BundleManifest, 'files'> = {
    format: bundleFormat,
    version: 1,
    madeAt: now.toISOString(),
    request: { id: row.id, name: row.name },
    documents,
    ...(earlier.length > 0 && { earlier }),
    signatures,
    history: { events: history.last, leftOut: history.last - (await countBundledEvents(db, history)) },
  }
  const readme: ReadmeFacts = {
    ...facts,
    signing,
    hasReport: report !== null,
    publicUrl: making.publicUrl,
    witnessedBy: proving.witnessedBy,
  }
  for (const language of languages) writing.add(`README.${language}.txt`, readmeOf(language, readme))
  await writing.end(path, facts, making.logKey)
}

type Writing = ReturnType<typeof openWriting>

/** Collects files in the order of writing; each is hashed and measured while it is written. */
function openWriting(at: Date) {
  const entries: Entry[] = []
  const written = new Map<string, { sha256: string; size: number }>()

  function addPieces(name: string, pieces: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>): void {
    entries.push({ name, at, isText: true, open: async () => ({ pieces: counted(name, pieces()) }) })
  }

  async function* counted(name: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    const hash: Hash = createHash('sha256')
    let size = 0
    for await (const piece of pieces) {
      hash.update(piece)
      size += piece.length
      yield piece
    }
    written.set(name, { sha256: hash.digest('hex'), size })
  }

  return {
    addPieces,
    add(name: string, contents: Uint8Array | string): void {
      addPieces(name, () => [typeof contents === 'string' ? Buffer.from(contents) : contents])
    },
    /** Adds a file without compressing it; its hash is verified when it is opened. */
    addDocument(name: string, file: KeptFile, storage: Storage): void {
      written.set(name, { sha256: file.sha256.toString('hex'), size: file.size })
      entries.push({ name, at, open: () => borrowVerified(storage, file) })
    },
    async end(path: string, facts: Omit<BundleManifest, 'files'>, key: KeyObject): Promise<void> {
      addPieces(bundleFiles.sums, () => [
        Buffer.from([...written].map(([name, { sha256 }]) => `${sha256}  ${name}\n`).join('')),
      ])
      let manifest: Buffer | undefined
      const made = () =>
        (manifest ??= Buffer.from(JSON.stringify({ ...facts, files: Object.fromEntries(written) })))
      entries.push({ name: bundleFiles.manifest, at, isText: true, open: async () => ({ bytes: made() }) })
      entries.push({
        name: bundleFiles.manifestSignature,
        at,
        open: async () => ({ bytes: sign(null, made(), key) }),
      })
      await writeArchive(path, entries)
    },
  }
}

/** The document and all terminating documents, because the history mentions all of them. */
async function addDocuments(
  writing: Writing,
  { database, storage, loaded: { row } }: BundleMaking,
): Promise<BundleDocument[]> {
  const { fileId, organizationId, sha256, size, destroyedAt } = row
  const terminations = await findTerminatingFiles(database.db, row.id, row.attempt)
  const all = [
    { attempt: 0, name: row.fileName, kept: { id: fileId, organizationId, sha256, size, destroyedAt } },
    ...terminations.map(({ attempt, ...kept }) => ({
      attempt,
      name: terminatingFileName(row, attempt),
      kept,
    })),
  ]
  const unique = uniqueNames()
  return all.map(({ attempt, name, kept }) => {
    const file = `documents/${unique(safeName(name, `document-${attempt}`))}`
    writing.addDocument(file, kept, storage)
    return { attempt, file, name }
  })
}

/**
 * The documents before the last correction. Of those that the person never had, only the hash that is in the history.
 */
async function addEarlier(
  writing: Writing,
  { database: { db }, storage, loaded, viewer }: BundleMaking,
): Promise<BundleRevision[]> {
  const { row } = loaded
  if (row.revision === 1) return []
  const seen = new Set((await visibleRevisions(db, loaded, viewer)).map(({ revision }) => revision))
  const all = (await findRevisions(db, row.id)).filter(({ revision }) => revision < row.revision)
  return all.map(({ revision, fileId, fileName, organizationId, sha256, size, destroyedAt }) => {
    const facts = { revision, sha256: sha256.toString('hex') }
    if (!seen.has(revision)) return { ...facts, file: null, name: '' }
    const file = `documents/earlier/${revision}/${safeName(fileName, 'document')}`
    writing.addDocument(file, { id: fileId, organizationId, sha256, size, destroyedAt }, storage)
    return { ...facts, file, name: fileName }
  })
}

/** Where a signature inside the document stands in the PDF that carries it. */
type Inside = NonNullable<BundleSignatureFiles['inside']>

function addSignedDocument(writing: Writing, signed: SignedDocument, file: string): [string, Inside][] {
  const name = file.replace(/^documents\//, 'documents/signed/')
  writing.addPieces(name, () => createReadStream(signed.path) as AsyncIterable<Uint8Array>)
  return signed.signatures.map(({ id, gap, size }) => [
    id,
    { file: name, ...gap, end: size + gap.to - gap.from },
  ])
}

type Signing = { isKnownEverywhere: boolean; at: Date; value: string }

async function addSignatures(
  writing: Writing,
  making: BundleMaking,
  {
    history,
    inside,
    earlier,
  }: { history: BundledHistory; inside: ReadonlyMap<string, Inside>; earlier: readonly BundleRevision[] },
): Promise<{ signatures: BundleSignatureFiles[]; signing: Map<string, Signing> }> {
  const { loaded } = making
  const { db } = making.database
  const accepted = await findAcceptedUntil(db, history)
  const kept = (await findKeptSignatures(db, history.requestId))
    .filter(({ id, pointId }) => accepted.has(id) && !history.hidden.points.includes(pointId))
    .filter(({ revision }) => earlier[revision - 1]?.file !== null)
    .toSorted((one, other) => one.attempt - other.attempt)
  const signing = new Map<string, Signing>()
  const signatures: BundleSignatureFiles[] = []
  const lists = new Set<string>()
  for (const [i, one] of kept.entries()) {
    const folder = `signatures/${String(i + 1).padStart(2, '0')}`
    const { files, used, ...about } = await addSignature(writing, making, one, folder)
    signing.set(one.id, { ...about, at: one.timestampTime ?? one.receivedAt })
    for (const list of used) lists.add(list)
    signatures.push({
      id: one.id,
      attempt: one.attempt,
      ...(one.revision < loaded.row.revision && { revision: one.revision }),
      signer: signerOf(one),
      side: sideOf(one, loaded.signing),
      receivedAt: one.receivedAt.toISOString(),
      ...files,
      lists: used.map(listFile),
      ...(inside.has(one.id) && { inside: inside.get(one.id)! }),
    })
  }
  for (const sha256 of lists) {
    writing.addPieces(listFile(sha256), () => listPieces(db, sha256))
  }
  return { signatures, signing }
}

/** A revocation list is read only when it is written, because it may be long. */
async function* listPieces(db: Db, sha256: string): AsyncGenerator<Uint8Array> {
  yield (await findList(db, sha256))!
}

const listFile = (sha256: string) => `lists/${sha256}.crl`

async function addSignature(
  writing: Writing,
  { database: { db }, storage, loaded }: BundleMaking,
  one: KeptSignature,
  folder: string,
) {
  const { cms, timestampedCms } = one
  const durable = await durableCms(db, one)
  const record = await findRecord(db, one.id)
  const isInXml = isXmlSignature(cms)
  const ending = isInXml ? 'xml' : 'cms'
  const add = (name: string, contents: Uint8Array | string) => {
    writing.add(`${folder}/${name}`, contents)
    return `${folder}/${name}`
  }
  const files = {
    cms: add(`came.${ending}`, cms),
    timestampedCms: timestampedCms && add('came-with-timestamp.cms', timestampedCms),
    durable: add(`durable.${ending}`, durable.cms),
    ...(isInXml && {
      signedXml: add(
        'signed.xml',
        await signedXmlOf(storage, await documentOf(db, loaded, one), durable.cms),
      ),
    }),
    chain: add('chain.pem', durable.chain.map((der) => pemOf('CERTIFICATE', der)).join('')),
    ocsp: durable.ocsp.map((der, i) => add(`ocsp-${i + 1}.der`, fullOcspResponse(der))),
    timestamps: durable.timestamps.map((token, i) => add(`timestamp-${i + 1}.tst`, token)),
    record: record && add('record.er', record),
  }
  return {
    files,
    used: durable.lists.map(({ sha256 }) => sha256),
    value: add('value.bin', isInXml ? stampedBytes(cms) : valueOf(durable.cms)),
    isKnownEverywhere: isInXml ? isByRsa(cms) : isKnownHash(durable.cms),
  }
}

function valueOf(cms: Uint8Array): Uint8Array {
  return readSignedData(cms).signers[0]!.signature
}

function isKnownHash(cms: Uint8Array): boolean {
  const { digestAlgorithm } = readSignedData(cms).signers[0]!
  return digestAlgorithmOf(digestAlgorithm)?.startsWith('sha-') ?? false
}

/** What was signed: the document as it is now, or as it was before a correction. */
async function documentOf(db: Db, { row }: LoadedRequest, { revision }: KeptSignature): Promise<KeptFile> {
  const { fileId, organizationId, sha256, size, destroyedAt } =
    revision === row.revision
      ? row
      : (await findRevisions(db, row.id)).find((one) => one.revision === revision)!
  return { id: fileId, organizationId, sha256, size, destroyedAt }
}

function addLog(writing: Writing, key: KeyObject, head: SignedHead): void {
  writing.add(bundleFiles.logKey, createPublicKey(key).export({ type: 'spki', format: 'pem' }))
  writing.add(bundleFiles.head, headBytes(head))
  writing.add(bundleFiles.headSignature, head.signature)
}
