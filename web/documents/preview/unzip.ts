/**
 * Reads the zip format in the browser as far as office files need it; their sizes were checked when they were
 * uploaded.
 */
export type Zip = { read: (name: string) => Promise<string | null> }

type Entry = { at: number; packedSize: number; isPacked: boolean }

const endSign = 0x06054b50
const listSign = 0x02014b50
const endSize = 22
const largestPart = 100 * 1024 * 1024

export function openZip(bytes: ArrayBuffer): Zip {
  const view = new DataView(bytes)
  const entries = entriesOf(view)
  return {
    async read(name) {
      const entry = entries.get(name.toLowerCase())
      if (!entry) return null
      // The local header repeats the lengths of name and extra field, and they may differ from the central
      // directory.
      const begin = entry.at + 30 + view.getUint16(entry.at + 26, true) + view.getUint16(entry.at + 28, true)
      const packed = new Blob([bytes.slice(begin, begin + entry.packedSize)])
      if (!entry.isPacked) return packed.text()
      return limitedText(packed.stream().pipeThrough(new DecompressionStream('deflate-raw')))
    },
  }
}

function entriesOf(view: DataView): Map<string, Entry> {
  const end = findEnd(view)
  const count = view.getUint16(end + 10, true)
  const entries = new Map<string, Entry>()
  let at = view.getUint32(end + 16, true)
  for (let i = 0; i < count; i++) {
    if (view.getUint32(at, true) !== listSign) throw new Error('the list of parts is broken')
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, nameLength))
    entries.set(name.toLowerCase(), {
      at: view.getUint32(at + 42, true),
      packedSize: view.getUint32(at + 20, true),
      isPacked: view.getUint16(at + 10, true) === 8,
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

function findEnd(view: DataView): number {
  for (let at = view.byteLength - endSize; at >= 0; at--) {
    if (view.getUint32(at, true) === endSign) return at
  }
  throw new Error('this is no zip')
}

async function limitedText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let text = ''
  for (let size = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    if (size > largestPart) throw new Error('a part is too large')
    text += decoder.decode(value, { stream: true })
  }
}
