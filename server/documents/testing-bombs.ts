/** For tests and measurements: small PDFs that are gigabytes when unpacked. They are made here, never stored. */
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { withTable } from '@kelisim/demo/sample-files.ts'

/** A zlib stream of this many megabytes of spaces: one compressed megabyte, repeated. */
export function deflated(megabytes: number): Buffer {
  const { Z_FULL_FLUSH } = constants
  const one = deflateRawSync(Buffer.alloc(1024 * 1024, ' '), { level: 9, finishFlush: Z_FULL_FLUSH })
  const end = deflateRawSync(Buffer.alloc(0))
  // The checksum at the end is wrong; readers of PDF do not compare it.
  const pieces = [Buffer.from([0x78, 0xda]), ...Array<Buffer>(megabytes).fill(one), end, Buffer.alloc(4)]
  return Buffer.concat(pieces)
}

/** One page whose content is this stream; `dict` says how it is packed. */
export function pdfWithContent(dict: string, stream: Buffer): Buffer {
  return withTable('%PDF-1.4\n', [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << >> >>',
    `<< ${dict} /Length ${stream.length} >>\nstream\n${stream.toString('latin1')}\nendstream`,
    '[/FlateDecode /FlateDecode]',
  ])
}

/** Two kilobytes that become a gigabyte. */
export function twiceDeflated(megabytes = 1024): Buffer {
  return pdfWithContent('/Filter [/FlateDecode /FlateDecode]', deflateSync(deflated(megabytes), { level: 9 }))
}

/** The same bomb declared as a picture, which is counted nowhere: only the memory limit stops it. */
export function disguised(megabytes = 1024): Buffer {
  return pdfWithContent(
    '/Type /XObject /Subtype /Image /Filter [/FlateDecode /FlateDecode]',
    deflateSync(deflated(megabytes), { level: 9 }),
  )
}

/** A megabyte of objects that never end: a reader looks for the end of each of them through the whole rest. */
export function slowToRead(): Buffer {
  return Buffer.from(`%PDF-1.4\n${'1 0 obj\n'.repeat(130_000)}`)
}
