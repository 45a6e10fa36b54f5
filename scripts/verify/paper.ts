/** Reads the codes in a picture for the command. Pages of a PDF are read by the check page, which can draw them. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { looksLikePicture } from '@kelisim/signature/container/collect-paper.ts'
import { startOf, type InputFile } from '@kelisim/signature/container/input-file.ts'

export async function codesInPicture({ blob }: InputFile): Promise<string[]> {
  if (!looksLikePicture(await startOf(blob, 8))) return []
  const { codesIn, useReader } = await import('../../web/verify/paper/read-codes.ts')
  useReader(readerBytes())
  return codesIn(blob)
}

export function readerBytes(): ArrayBuffer {
  const require = createRequire(import.meta.resolve('../../web/package.json'))
  const wasm = readFileSync(require.resolve('zxing-wasm/reader/zxing_reader.wasm'))
  return wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length)
}
