/** The reader of codes as the site serves it. */
// oxlint-disable-next-line import/default -- the build makes it an address
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { codesIn, useReader } from './read-codes.ts'

useReader(wasm)
export { codesIn }
