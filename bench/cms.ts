/**
 * The whole check of a signature, in milliseconds: the document's hash, the signature, the certificates of the signer
 * and its centre, the OCSP response and its responder's certificate; five GOST 512 signatures. One thread of ours
 * against one of OpenSSL with its GOST engine, on the same bytes, all in memory and both warm. They alternate, and the
 * best slice of each counts.
 */
import { curves } from '@kelisim/signature/algorithms/curves.ts'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import { defaultPolicy, evidenceAtHand } from '@kelisim/signature/examination/policy.ts'
import { readOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import { verifyModel } from '@kelisim/signature/testing/model.ts'
import { startOpenSslEngine, type Anchor } from './parts/anchor-process.ts'
import { rounded, type Measure } from './parts/measure.ts'
import { makeSignedChains, type SignedChain, type SignedChains } from './parts/signed-chains.ts'

/** The largest allowed ratio to the anchor's time. */
type Goals = { openSsl: number; fallback: number }

export const cmsSmall = () => wholeCheck('cmsSmall', 1000, 20, { openSsl: 0.6, fallback: 0.01 })
export const cmsLarge = () => wholeCheck('cmsLarge', 20_000_000, 1, { openSsl: 1.15, fallback: 0.5 })

/** So many that the cache never helps: each check adds three certificates, and only a thousand are kept. */
const chainCount = 360
const rounds = 18

async function wholeCheck(name: string, length: number, slice: number, goals: Goals): Promise<Measure> {
  const content = Uint8Array.from({ length }, (_, i) => i * 7)
  const signed = await makeSignedChains(content, chainCount)
  const openSsl = startOpenSslEngine()
  let [value, anchor] = [Infinity, Infinity]
  try {
    for (let round = 0; round < rounds; round++) {
      const first = round * slice
      value = Math.min(value, (await checkAll(signed, signed.chains.slice(first, first + slice))) / slice)
      anchor = Math.min(
        anchor,
        openSsl ? (await askAnchor(openSsl, signed, first, slice)) / slice : byModel(content),
      )
    }
  } finally {
    openSsl?.stop()
    signed.remove()
  }
  const goal = openSsl ? goals.openSsl : goals.fallback
  const ratio = rounded(value / anchor)
  return {
    name,
    value: rounded(value),
    anchor: rounded(anchor),
    ratio,
    goal: `<= ${goal} × the time of ${openSsl ? 'OpenSSL with its GOST engine' : 'our plain BigInt model and SHA-512'}`,
    ok: ratio <= goal,
    ...(openSsl ? {} : { note: "OpenSSL's GOST engine cannot be installed here" }),
  }
}

function askAnchor(openSsl: Anchor, { folder }: SignedChains, first: number, count: number): Promise<number> {
  return openSsl.ask(`check ${folder} content ${first} ${count}`)
}

async function checkAll({ content, root }: SignedChains, chains: readonly SignedChain[]): Promise<number> {
  const start = performance.now()
  for (const { cms, centre, ocsp } of chains) {
    const { findings, signers } = await examineSignature(cms, pieces(content), {
      trust: { roots: [root], others: [readCertificate(centre)] },
      evidence: evidenceAtHand({ ocsp: [readOcspResponse(ocsp).basic!], crls: [] }),
      policy: defaultPolicy,
      at: new Date(),
    })
    const all = [...findings, ...signers.flatMap((signer) => signer.findings)]
    if (all.length > 0 || signers.length !== 1)
      throw new Error(`A right signature was refused: ${all.join(', ')}`)
  }
  return performance.now() - start
}

/** Pieces as read from a file. */
function* pieces(content: Uint8Array): Generator<Uint8Array> {
  const length = 1024 * 1024
  for (let at = 0; at < content.length; at += length) yield content.subarray(at, at + length)
}

/** The five signatures in plain BigInt, and a hash of the document that every machine has. */
function byModel(content: Uint8Array): number {
  const curve = curves['tc26-512-a']
  const start = performance.now()
  for (let i = 1n; i <= 5n; i++) {
    verifyModel(curve, { x: curve.x, y: curve.y }, curve.q / 3n, { r: curve.q / 5n, s: curve.q / i - 1n })
  }
  hash('sha-512', content)
  return performance.now() - start
}
