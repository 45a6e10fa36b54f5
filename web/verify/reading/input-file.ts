/** A file to check: from the disk, from an archive or from a PDF. It is read in pieces. */
export type InputFile = { name: string; blob: Blob }

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
