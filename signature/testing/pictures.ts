/** For tests: pictures in shades of grey, as scanners make them (PNG). */
import { crc32, deflateSync } from 'node:zlib'

export function pngOf(grey: Uint8Array, width: number, height: number): Uint8Array<ArrayBuffer> {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(grey.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  const part = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = part('IDAT', deflateSync(rows, { level: 1 }))
  return new Uint8Array(Buffer.concat([signature, part('IHDR', head), data, part('IEND', Buffer.alloc(0))]))
}
