/** The reader of QR codes, with the WebAssembly file that the site serves. */
// oxlint-disable-next-line import/default -- the build makes it an address
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { codesIn, useReader } from './read-codes.ts'

useReader(wasm)
export { codesIn }
