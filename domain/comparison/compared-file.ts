/**
 * The name, in addresses and calls, of a file that may be compared: an uploaded document, a revision of a request's
 * document, or a proposed file.
 */

export type ComparedFile =
  | { kind: 'document'; documentId: string }
  | { kind: 'revision'; signingRequestId: string; revision: number }
  | { kind: 'proposal'; signingRequestId: string; number: number }

const shape =
  /^(?:document\.([\da-f-]{36})|request\.([\da-f-]{36})\.([1-9]\d?)|proposal\.([\da-f-]{36})\.([1-9]\d{0,8}))$/

export function nameOfFile(file: ComparedFile): string {
  switch (file.kind) {
    case 'document':
      return `document.${file.documentId}`
    case 'revision':
      return `request.${file.signingRequestId}.${file.revision}`
    case 'proposal':
      return `proposal.${file.signingRequestId}.${file.number}`
  }
}

export function fileOfName(name: string): ComparedFile | null {
  const [, documentId, revised, revision, proposedFor, number] = shape.exec(name) ?? []
  if (documentId !== undefined) return { kind: 'document', documentId }
  if (revised !== undefined)
    return { kind: 'revision', signingRequestId: revised, revision: Number(revision) }
  if (proposedFor === undefined) return null
  return { kind: 'proposal', signingRequestId: proposedFor, number: Number(number) }
}
