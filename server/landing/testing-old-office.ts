/** For tests: minimal office files in the formats before 2007. */
import { oleBeginning } from '../documents/check/file-signatures.ts'

type Stream = { name: string; bytes: Buffer }
type Traits = { isEncrypted?: boolean; hasMacros?: boolean }

export function oldDoc({
  isEncrypted = false,
  hasMacros = false,
  text: written = Buffer.alloc(0),
}: Traits & { text?: Buffer } = {}): Buffer {
  const text = Buffer.alloc(4096)
  text.writeUInt16LE(0xa5ec, 0)
  if (isEncrypted) text.writeUInt16LE(0x0100, 0x0a)
  written.copy(text, 1024)
  return container([
    { name: 'WordDocument', bytes: text },
    { name: hasMacros ? '_VBA_PROJECT' : '1Table', bytes: Buffer.alloc(4096) },
  ])
}

export function oldXls({ isEncrypted = false, hasMacros = false }: Traits = {}): Buffer {
  const record = (kind: number, contents: Buffer) => {
    const head = Buffer.alloc(4)
    head.writeUInt16LE(kind, 0)
    head.writeUInt16LE(contents.length, 2)
    return Buffer.concat([head, contents])
  }
  const sheet = Buffer.from([0, 0, 0, 0, 0, hasMacros ? 1 : 0, 1, 0, 0x41])
  const records = Buffer.concat([
    record(0x0809, Buffer.alloc(16)),
    ...(isEncrypted ? [record(0x002f, Buffer.alloc(6))] : []),
    record(0x0085, sheet),
    record(0x000a, Buffer.alloc(0)),
  ])
  return container([
    { name: 'Workbook', bytes: Buffer.concat([records, Buffer.alloc(4096 - records.length)]) },
  ])
}

/** Sectors of 512 bytes: the table of chains, the folder, then each stream in a row. */
function container(streams: readonly Stream[]): Buffer {
  const sector = 512
  const folderSectors = Math.ceil((streams.length + 1) / 4)
  let next = 1 + folderSectors
  const placed = streams.map((stream) => {
    const start = next
    next += Math.ceil(stream.bytes.length / sector)
    return { ...stream, start, count: next - start }
  })
  const table = Buffer.alloc(sector, 0xff)
  const chain = (start: number, count: number) => {
    for (let i = 0; i < count; i++) {
      table.writeUInt32LE(i === count - 1 ? 0xfffffffe : start + i + 1, (start + i) * 4)
    }
  }
  table.writeUInt32LE(0xfffffffd, 0)
  chain(1, folderSectors)
  const folder = Buffer.alloc(folderSectors * sector)
  const entry = (
    at: number,
    name: string,
    kind: number,
    right: number,
    child: number,
    start: number,
    size: number,
  ) => {
    folder.write(name, at * 128, 'utf16le')
    folder.writeUInt16LE((name.length + 1) * 2, at * 128 + 64)
    folder.writeUInt8(kind, at * 128 + 66)
    folder.writeUInt32LE(0xffffffff, at * 128 + 68)
    folder.writeUInt32LE(right, at * 128 + 72)
    folder.writeUInt32LE(child, at * 128 + 76)
    folder.writeUInt32LE(start, at * 128 + 116)
    folder.writeUInt32LE(size, at * 128 + 120)
  }
  entry(0, 'Root Entry', 5, 0xffffffff, 1, 0xfffffffe, 0)
  for (const [i, { name, bytes, start, count }] of placed.entries()) {
    chain(start, count)
    const right = i === placed.length - 1 ? 0xffffffff : i + 2
    entry(i + 1, name, 2, right, 0xffffffff, start, bytes.length)
  }
  const header = Buffer.alloc(sector, 0xff)
  oleBeginning.copy(header)
  header.fill(0, 8, 76)
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(1, 44)
  header.writeUInt32LE(1, 48)
  header.writeUInt32LE(4096, 56)
  header.writeUInt32LE(0xfffffffe, 60)
  header.writeUInt32LE(0xfffffffe, 68)
  header.writeUInt32LE(0, 76)
  return Buffer.concat([header, table, folder, ...placed.map(({ bytes }) => bytes)])
}
