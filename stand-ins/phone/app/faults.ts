/** How an app may misbehave, for tests of the product. */
import type { ReceivedDocuments } from './protocol.ts'

export const faults = [
  /** The response to a submission is lost, so it is sent again. */
  'lost-answer',
  /** The signed content is not the given one. */
  'tampered',
  /**
   * Signs with a key for signing in, or an expired one. Keys of other people and revoked keys can be chosen without
   * this fault.
   */
  'unfit-key',
  'no-timestamp',
  'extra-fields',
  'reordered',
  'missing-document',
  'old-mime',
  'broken-lines',
] as const
export type Fault = (typeof faults)[number]

export function isFault(text: unknown): text is Fault {
  return faults.some((fault) => fault === text)
}

export function withFaults(body: ReceivedDocuments, chosen: ReadonlySet<Fault>): ReceivedDocuments {
  let documents = body.documentsToSign
  if (chosen.has('missing-document')) documents = documents.slice(0, -1)
  if (chosen.has('reordered')) documents = documents.toReversed()
  if (chosen.has('old-mime')) documents = documents.map(withOldMime)
  if (chosen.has('extra-fields')) documents = documents.map((document) => ({ ...document, ...extra }))
  return { ...body, documentsToSign: documents, ...(chosen.has('extra-fields') && extra) }
}

const extra = { appVersion: '9.9.9', device: { model: 'Kelisim', isStandIn: true } }

function withOldMime(document: ReceivedDocuments['documentsToSign'][number]) {
  if (!document.document) return document
  return { ...document, document: { file: { ...document.document.file, mime: '@file/pdf' } } }
}
