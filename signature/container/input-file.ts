/** A file to check: from the disk, from an archive, an e-mail or a PDF. It is read in pieces. */
export type InputFile = {
  /** The name, with folders if the file comes from an archive. */
  name: string
  blob: Blob
  /** The signed part of an e-mail that the file came in. */
  partOf?: InputFile
  /** For the signature of a signed e-mail: the part that it has to cover. */
  signs?: InputFile
  /** For a picture: addresses that its codes lead to. */
  links?: string[]
}

/** Shown to the person: the container is damaged, was made to exhaust resources, or can be read in two ways. */
export class ContainerError extends Error {
  readonly reason: 'damaged' | 'too-much' | 'unsafe-name'
  constructor(reason: ContainerError['reason']) {
    super(reason)
    this.name = 'ContainerError'
    this.reason = reason
  }
}

const pieceSize = 1024 * 1024

/** `onRead` gets the number of bytes read; other tasks run between the pieces. */
export async function* piecesOf(
  blob: Blob,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < blob.size; at += pieceSize) {
    const piece = await bytesOf(blob.slice(at, at + pieceSize))
    onRead(piece.length)
    yield piece
  }
}

export async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.arrayBuffer())
}

export function startOf(blob: Blob, length: number): Promise<Uint8Array<ArrayBuffer>> {
  return bytesOf(blob.slice(0, length))
}

/** The name without folders. */
export function baseName(name: string): string {
  return name.split('/').at(-1) ?? name
}
