/**
 * GOST in WebAssembly against OpenSSL's engine in C and BouncyCastle in Java: verifications per second (from bytes to
 * the result, including decoding and checking the key) and megabytes hashed per second. They alternate, and the best
 * slice of each counts.
 */
import { curves, type CurveName } from '@kelisim/signature/algorithms/curves.ts'
import { decodeKey, decodeSignature, hashToNumber, verifyPair } from '@kelisim/signature/algorithms/gost.ts'
import type { Group, Point } from '@kelisim/signature/algorithms/group.ts'
import { createGroupOn, groupOf } from '@kelisim/signature/algorithms/groups.ts'
import { hash, type HashName } from '@kelisim/signature/algorithms/hash.ts'
import { encodePoint, publicPoint, signGost } from '@kelisim/signature/signer/gost.ts'
import { verifyModel } from '@kelisim/signature/testing/model.ts'
import { startBouncyCastle, startOpenSslEngine, type Anchor } from './parts/anchor-process.ts'
import { rounded, type Measure } from './parts/measure.ts'

/** BouncyCastle's hashes are reported only. */
type Goals = { openSsl: number; bouncyCastle?: number; fallback: number }

export const gost512 = () =>
  verifications('gost512', 'tc26-512-a', groupOf('tc26-512-a'), {
    openSsl: 1.5,
    bouncyCastle: 6,
    fallback: 20,
  })
export const gost256 = () =>
  verifications('gost256', 'cryptopro-a', groupOf('cryptopro-a'), {
    openSsl: 1.5,
    bouncyCastle: 10,
    fallback: 20,
  })
export const gost512Portable = () =>
  verifications('gost512Portable', 'tc26-512-a', portable('tc26-512-a'), portableGoals)
export const gost256Portable = () =>
  verifications('gost256Portable', 'cryptopro-a', portable('cryptopro-a'), portableGoals)
export const streebog = () =>
  hashing('streebog', 'streebog-512', 'md_gost12_512', { openSsl: 0.85, fallback: 0.15 })
export const gost34311 = () =>
  hashing('gost34311', 'gost-34.311', 'md_gost94', { openSsl: 2.5, fallback: 0.1 })

const portableGoals: Goals = { openSsl: 0.75, bouncyCastle: 3, fallback: 8 }
const portable = (curve: CurveName) => createGroupOn('integer', curves[curve])

/** The names of the curve in OpenSSL and BouncyCastle. */
const anchorNames: Partial<Record<CurveName, { openSsl: string; bouncyCastle: string }>> = {
  'tc26-512-a': { openSsl: 'gost2012_512 A', bouncyCastle: '1.2.643.7.1.2.1.2.1' },
  'cryptopro-a': { openSsl: 'gost2012_256 A', bouncyCastle: '1.2.643.2.2.35.1' },
}

function verifications(name: string, curve: CurveName, group: Group, goals: Goals): Promise<Measure> {
  const names = anchorNames[curve]!
  const signed = signedExample(curve)
  const count = curves[curve].bits === 512 ? 40 : 200
  return compare(name, goals, {
    amount: count,
    ours: () => timed(() => repeat(count, () => check(signed.verify(group)))),
    openSsl: (anchor) => anchor.ask(`verify ${names.openSsl} ${count}`),
    bouncyCastle: (anchor) => anchor.ask(`verify ${names.bouncyCastle} ${count}`),
    fallback: {
      what: 'our plain BigInt model',
      amount: 2,
      run: () => timed(() => repeat(2, () => check(signed.verifyByModel()))),
    },
  })
}

function signedExample(curve: CurveName) {
  const secret = curves[curve].q / 3n
  const point = encodePoint(curve, publicPoint(curve, secret))
  const digest = Uint8Array.from({ length: curves[curve].bits / 8 }, (_, i) => i * 37 + 11)
  const signature = signGost(curve, secret, digest, curves[curve].q / 5n, 'kz')!
  const decoded = () => ({
    key: decodeKey({ curve, point }) as Point,
    e: hashToNumber(curves[curve], digest),
    pair: decodeSignature(curves[curve], signature, 'kz')!,
  })
  return {
    verify(group: Group): boolean {
      const { key, e, pair } = decoded()
      return verifyPair(group, key, e, pair)
    },
    verifyByModel(): boolean {
      const { key, e, pair } = decoded()
      return verifyModel(curves[curve], key, e, pair)
    },
  }
}

function hashing(name: string, hashName: HashName, engineName: string, goals: Goals): Promise<Measure> {
  const message = Uint8Array.from({ length: 2_000_000 }, (_, i) => i * 7)
  const bouncyName = hashName === 'streebog-512' ? 'streebog' : 'gost94'
  return compare(name, goals, {
    amount: 2,
    ours: () => timed(() => hash(hashName, message)),
    openSsl: (anchor) => anchor.ask(`digest ${engineName} 2`),
    bouncyCastle: (anchor) => anchor.ask(`digest ${bouncyName} 2`),
    fallback: { what: 'our own SHA-512', amount: 2, run: () => timed(() => hash('sha-512', message)) },
  })
}

type Comparison = {
  /** Verifications or megabytes of one slice. */
  amount: number
  ours: () => number
  openSsl: (anchor: Anchor) => Promise<number>
  bouncyCastle: (anchor: Anchor) => Promise<number>
  fallback: { what: string; amount: number; run: () => number }
}

const rounds = 25

async function compare(name: string, goals: Goals, comparison: Comparison): Promise<Measure> {
  const openSsl = startOpenSslEngine()
  const bouncyCastle = startBouncyCastle()
  const best = { ours: Infinity, openSsl: Infinity, bouncyCastle: Infinity, fallback: Infinity }
  try {
    for (let round = 0; round < rounds; round++) {
      best.ours = Math.min(best.ours, comparison.ours())
      if (openSsl) best.openSsl = Math.min(best.openSsl, await comparison.openSsl(openSsl))
      else best.fallback = Math.min(best.fallback, comparison.fallback.run())
      if (bouncyCastle)
        best.bouncyCastle = Math.min(best.bouncyCastle, await comparison.bouncyCastle(bouncyCastle))
    }
  } finally {
    openSsl?.stop()
    bouncyCastle?.stop()
  }
  return judge(name, goals, comparison, best)
}

function judge(
  name: string,
  goals: Goals,
  { amount, fallback }: Comparison,
  best: Record<'ours' | 'openSsl' | 'bouncyCastle' | 'fallback', number>,
): Measure {
  const perSecond = (count: number, milliseconds: number) => rounded((count / milliseconds) * 1000)
  const hasEngine = best.openSsl < Infinity
  const value = perSecond(amount, best.ours)
  const anchor = hasEngine ? perSecond(amount, best.openSsl) : perSecond(fallback.amount, best.fallback)
  const goal = hasEngine ? goals.openSsl : goals.fallback
  const ratio = rounded(value / anchor)
  const java = best.bouncyCastle < Infinity ? rounded(value / perSecond(amount, best.bouncyCastle)) : null
  return {
    name,
    value,
    anchor,
    ratio,
    goal: [
      `>= ${goal} × ${hasEngine ? "OpenSSL's engine" : fallback.what}`,
      ...(goals.bouncyCastle === undefined ? [] : [`>= ${goals.bouncyCastle} × BouncyCastle`]),
    ].join(', '),
    ok: ratio >= goal && (java === null || java >= (goals.bouncyCastle ?? 0)),
    note: [
      ...(hasEngine ? [] : ["OpenSSL's GOST engine cannot be installed here"]),
      java === null ? 'BouncyCastle cannot be installed here' : `${java} × BouncyCastle`,
    ].join('; '),
  }
}

function timed(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function repeat(count: number, work: () => void): void {
  for (let i = 0; i < count; i++) work()
}

function check(isValid: boolean): void {
  if (!isValid) throw new Error('A right signature was refused')
}
