/**
 * Hashes of messages in pieces, the same in Node and in a browser (WebCrypto takes only whole messages, and a document
 * of 20 MB must not be held twice). Digests are the bytes as written in signatures: for GOST that is the reverse of the
 * number printed in the standard.
 */
import { wasm as gost34311Wasm } from './built/gost34311.ts'
import { wasm as shaWasm } from './built/sha.ts'
import { wasm as streebogWasm } from './built/streebog.ts'
import { loadModule } from './load-wasm.ts'

export type HashName =
  | 'sha-1'
  | 'sha-256'
  | 'sha-384'
  | 'sha-512'
  | 'streebog-256'
  | 'streebog-512'
  /** GOST 34.311-95 as used in Kazakhstan: with the test substitution box. */
  | 'gost-34.311'
  /** GOST R 34.11-94 as used in Russia: with the substitution box of CryptoPro. */
  | 'gost-34.11-94'

export type Hash = {
  update: (bytes: Uint8Array) => Hash
  /** Ends the message; afterwards neither function may be called. */
  digest: () => Uint8Array<ArrayBuffer>
}

const kinds: Record<HashName, { wasm: string; variant: number; length: number }> = {
  'sha-1': { wasm: shaWasm, variant: 0, length: 20 },
  'sha-256': { wasm: shaWasm, variant: 1, length: 32 },
  'sha-384': { wasm: shaWasm, variant: 2, length: 48 },
  'sha-512': { wasm: shaWasm, variant: 3, length: 64 },
  'streebog-256': { wasm: streebogWasm, variant: 1, length: 32 },
  'streebog-512': { wasm: streebogWasm, variant: 0, length: 64 },
  'gost-34.311': { wasm: gost34311Wasm, variant: 0, length: 32 },
  'gost-34.11-94': { wasm: gost34311Wasm, variant: 1, length: 32 },
}

export const hashNames = Object.keys(kinds) as HashName[]

export function digestLength(name: HashName): number {
  return kinds[name].length
}

export function hash(name: HashName, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return createHash(name).update(bytes).digest()
}

export function createHash(name: HashName): Hash {
  const { wasm, variant, length } = kinds[name]
  const engine = engineOf(wasm)
  engine.init(variant)
  let state = engine.takeState()
  let isOver = false

  const stream: Hash = {
    update(bytes) {
      if (isOver) throw new Error('This message has ended')
      engine.putState(state)
      engine.update(bytes)
      state = engine.takeState()
      return stream
    },
    digest() {
      if (isOver) throw new Error('This message has ended')
      isOver = true
      engine.putState(state)
      return engine.digest(length)
    },
  }
  return stream
}

type Engine = {
  init: (variant: number) => void
  takeState: () => Uint8Array
  putState: (state: Uint8Array) => void
  update: (bytes: Uint8Array) => void
  digest: (length: number) => Uint8Array<ArrayBuffer>
}

type Exports = {
  memory: WebAssembly.Memory
  state: WebAssembly.Global<'i32'>
  stateSize: WebAssembly.Global<'i32'>
  input: WebAssembly.Global<'i32'>
  inputSize: WebAssembly.Global<'i32'>
  init: (variant: number) => void
  update: (length: number) => void
  digest: () => number
}

const engines = new Map<string, Engine>()

/**
 * One instance serves all streams: each stream keeps its own state (200-odd bytes) and copies it into the instance for
 * a call. Calls are synchronous, so two streams never overlap.
 */
function engineOf(wasm: string): Engine {
  const known = engines.get(wasm)
  if (known) return known
  const exports = new WebAssembly.Instance(loadModule(wasm)).exports as Exports
  const memory = new Uint8Array(exports.memory.buffer)
  const input = exports.input.value
  const inputSize = exports.inputSize.value
  const start = exports.state.value
  const end = start + exports.stateSize.value
  const engine: Engine = {
    init: exports.init,
    takeState: () => memory.slice(start, end),
    putState: (state) => memory.set(state, start),
    update(bytes) {
      for (let offset = 0; offset < bytes.length; offset += inputSize) {
        const piece = bytes.subarray(offset, offset + inputSize)
        memory.set(piece, input)
        exports.update(piece.length)
      }
    },
    digest(length) {
      const at = exports.digest()
      return memory.slice(at, at + length)
    },
  }
  engines.set(wasm, engine)
  return engine
}
