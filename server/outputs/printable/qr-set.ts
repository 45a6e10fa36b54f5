/**
 * A signature as a set of QR codes, in the format of the Kazakhstan document card: the CMS as a ZIP of one file, in
 * base64, split into parts, each in a JSON object with its number and the total. So the signature can be restored
 * from paper alone.
 */
import { crc32, deflateRawSync } from 'node:zlib'
import { fullCapacity, fullQrOf, type Matrix } from '@kelisim/pdf/qr-code.ts'

/** Characters reserved for the numbers of the parts. */
const roomForNumbers = 10

export function qrSetOf(cms: Uint8Array, signId: number): Matrix[] {
  return partsOf(cms, signId).map((part) => fullQrOf(Buffer.from(part)))
}

export function partsOf(cms: Uint8Array, signId: number): string[] {
  const whole = zipOf(`${signId}.cms`, cms).toString('base64')
  const part = (total: number, index: number, data: string) => JSON.stringify({ signId, total, index, data })
  const most = fullCapacity - part(0, 0, '').length - roomForNumbers
  const total = Math.ceil(whole.length / most)
  // Parts of equal length: all codes look alike and are read equally well.
  const length = Math.ceil(whole.length / total)
  return Array.from({ length: total }, (_, i) =>
    part(total, i + 1, whole.slice(i * length, (i + 1) * length)),
  )
}

/** A ZIP of one file, written without its date so that the same signature always gives the same codes. */
function zipOf(name: string, bytes: Uint8Array): Buffer {
  const packed = deflateRawSync(bytes, { level: 9 })
  const names = Buffer.from(name)
  // Version 2.0, deflated, the earliest date of the format; checksum, both sizes, length of the name.
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(8, 4)
  common.writeUInt16LE(0x21, 8)
  common.writeUInt32LE(crc32(bytes), 10)
  common.writeUInt32LE(packed.length, 14)
  common.writeUInt32LE(bytes.length, 18)
  common.writeUInt16LE(names.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, names, packed])
  const madeBy = Buffer.from([20, 0])
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02', 'latin1'),
    madeBy,
    common,
    Buffer.alloc(14),
    names,
  ])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}
