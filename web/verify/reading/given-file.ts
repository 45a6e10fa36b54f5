/** A file that somebody gave us, wherever it lay: on their disk, in an archive, inside a PDF. It is read in pieces. */
export type GivenFile = { name: string; blob: Blob }

const pieceSize = 1024 * 1024

/** `onRead` hears how many bytes came; between two pieces others get their turn. */
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

/** Without the folders before it. */
export function baseName(name: string): string {
  return name.split('/').at(-1) ?? name
}
