/** Names a file that may be compared, in addresses and calls: an uploaded document, or a document of a corrected request. */

export type ComparedFile =
  | { kind: 'document'; documentId: string }
  | { kind: 'revision'; signingRequestId: string; revision: number }

const shape = /^(?:document\.([\da-f-]{36})|request\.([\da-f-]{36})\.([1-9]\d?))$/

export function nameOfFile(file: ComparedFile): string {
  return file.kind === 'document'
    ? `document.${file.documentId}`
    : `request.${file.signingRequestId}.${file.revision}`
}

export function fileOfName(name: string): ComparedFile | null {
  const [, documentId, signingRequestId, revision] = shape.exec(name) ?? []
  if (documentId !== undefined) return { kind: 'document', documentId }
  if (signingRequestId === undefined) return null
  return { kind: 'revision', signingRequestId, revision: Number(revision) }
}
