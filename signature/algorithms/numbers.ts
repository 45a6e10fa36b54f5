/** Integers: conversion from and to bytes, remainders. */

export function fromLittleEndian(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let number = 0n
  let at = bytes.length
  for (; at >= 8; at -= 8) number = (number << 64n) | view.getBigUint64(at - 8, true)
  for (; at > 0; at--) number = (number << 8n) | BigInt(view.getUint8(at - 1))
  return number
}

export function fromBigEndian(bytes: Uint8Array): bigint {
  return fromLittleEndian(bytes.toReversed())
}

export function toLittleEndian(number: bigint, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  for (let i = 0, rest = number; i < length; i++, rest >>= 8n) bytes[i] = Number(rest & 255n)
  return bytes
}

/** The remainder from 0 to m - 1, also for a negative number. */
export function modulo(number: bigint, m: bigint): bigint {
  const rest = number % m
  return rest < 0n ? rest + m : rest
}

/** 1/number modulo m, by Euclid; the two must have no common divisor. */
export function inverse(number: bigint, m: bigint): bigint {
  let [r, next] = [m, modulo(number, m)]
  let [s, nextS] = [0n, 1n]
  while (next !== 0n) {
    const quotient = r / next
    ;[r, next] = [next, r - quotient * next]
    ;[s, nextS] = [nextS, s - quotient * nextS]
  }
  if (r !== 1n) throw new RangeError('There is no inverse')
  return modulo(s, m)
}
