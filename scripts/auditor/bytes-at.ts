/** Larger than any tile, note or proof. */
const mostBytes = 1024 ** 2

export async function bytesAt(address: URL): Promise<Uint8Array> {
  const response = await fetch(address, { signal: AbortSignal.timeout(30_000), redirect: 'error' }).catch(
    (error: unknown) => {
      throw new Error(`${address.href} does not answer`, { cause: error })
    },
  )
  if (!response.ok) throw new Error(`${address.href} answers ${response.status}`)
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body ?? []) {
    length += piece.length
    // Counted on the way: a hostile log may send without end.
    if (length > mostBytes) throw new Error(`${address.href} is too long`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
