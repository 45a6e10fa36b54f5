/** CBC mode for blocks of eight bytes, with PKCS#5 padding. */
import { joined } from '../asn1/values.ts'

/** The two halves of a block, 32 bits each. */
export type Block = [number, number]

type Transform = (block: Block) => Block

export function chained(iv: Uint8Array, plain: Uint8Array, encrypt: Transform): Uint8Array<ArrayBuffer> {
  const filling = 8 - (plain.length % 8)
  const whole = joined([plain, new Uint8Array(filling).fill(filling)])
  const view = new DataView(whole.buffer)
  let before = blockAt(viewOf(iv), 0)
  for (let at = 0; at < whole.length; at += 8) {
    before = encrypt(xor(blockAt(view, at), before))
    putBlock(view, at, before)
  }
  return whole
}

/** Null: the padding is wrong. */
export function unchained(iv: Uint8Array, hidden: Uint8Array, decrypt: Transform): Uint8Array | null {
  if (hidden.length === 0 || hidden.length % 8 !== 0) return null
  const whole = new Uint8Array(hidden)
  const view = new DataView(whole.buffer)
  let before = blockAt(viewOf(iv), 0)
  for (let at = 0; at < whole.length; at += 8) {
    const block = blockAt(view, at)
    putBlock(view, at, xor(decrypt(block), before))
    before = block
  }
  return withoutFilling(whole)
}

function withoutFilling(whole: Uint8Array): Uint8Array | null {
  const filling = whole.at(-1)!
  const isRight = filling >= 1 && filling <= 8 && whole.subarray(-filling).every((byte) => byte === filling)
  return isRight ? whole.subarray(0, -filling) : null
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const blockAt = (view: DataView, at: number): Block => [view.getInt32(at), view.getInt32(at + 4)]
const xor = (one: Block, other: Block): Block => [one[0] ^ other[0], one[1] ^ other[1]]

function putBlock(view: DataView, at: number, [left, right]: Block): void {
  view.setInt32(at, left)
  view.setInt32(at + 4, right)
}
