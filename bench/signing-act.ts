/**
 * Signing acts a second over HTTP: a GOST 512 signature of a 1 MB document whose digest is kept is received, stored, judged by a
 * worker (OCSP and CRLs from the stand-in of the certification centre) and saved; against the judging alone, which hashes the
 * document, by as many workers with as many concurrent jobs; and against an earlier version, from a checkout that BENCH_BEFORE names.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { examineCrl } from '@kelisim/server/signatures/answer-from-centre.ts'
import { openSignatureChecks } from '@kelisim/server/signatures/check.ts'
import { createOutboundCaller } from '@kelisim/server/signatures/outbound/call.ts'
import { knownServices, openCentre } from '@kelisim/server/signatures/outbound/centre.ts'
import { readTrust } from '@kelisim/server/signatures/trust.ts'
import { documentPolicy } from '@kelisim/server/requests/judging/examining.ts'
import { signDetached, type CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { rounded, type Measure } from './parts/measure.ts'
import type { Product } from './parts/product.ts'
import { pdfOf, someSigner, type SignerSession } from './parts/signer.ts'
import { allowSending, caller, routeOf, uploadPath, withProduct, type Started } from './parts/work.ts'

const goal = { ratio: 0.75, tail: 5, before: 3 }
const port = 3276
const clients = 4
const warmUp = 40
const acts = 400
/** Few, so that the warm-up has computed the digests of each. */
const documents = 8

export async function signingAct(): Promise<Measure> {
  const before = process.env['BENCH_BEFORE']
  const { times, alone } = await withProduct(port, async (started) => {
    const { asked, times } = await signMany(started)
    return { times, alone: await checkAlone(started.dataDir, asked) }
  })
  const then =
    before === undefined
      ? undefined
      : await withProduct(port + 20, async (started) => (await signMany(started)).times, { root: before })
  const [value, anchor] = [acts / times.seconds, acts / alone.seconds]
  const tail = times.p99 / times.median
  const ratio = rounded(value / anchor)
  const gain = then && rounded(then.seconds / times.seconds)
  return {
    name: 'signingAct',
    value: rounded(value),
    anchor: rounded(anchor),
    ratio,
    goal: `ratio >= ${goal.ratio}, p99 <= ${goal.tail} x median with ${clients} clients, >= ${goal.before} x the version before`,
    ok: ratio >= goal.ratio && tail <= goal.tail && (gain === undefined || gain >= goal.before),
    note: [
      `acts a second; median ${rounded(times.median)} ms, p99 ${rounded(times.p99)} ms (${rounded(tail)} x)`,
      then === undefined
        ? 'BENCH_BEFORE names no earlier version'
        : `before: ${rounded(acts / then.seconds)} a second; ${gain} x`,
    ].join('; '),
  }
}

async function signMany({ product, client, dataDir }: Started) {
  const { session, key } = await someSigner(client, join(dataDir, 'keys'))
  const asked = await sendMany(product, client, session, key)
  const sign = actor(product, session)
  await shared(asked.slice(0, warmUp), sign)
  return { asked, times: await shared(asked.slice(warmUp), sign) }
}

const large = { goal: 1.3, acts: 15, warmUp: 2, bytes: [1_000, 20_000_000] }

/**
 * One signing act over 20 MB against one over 1 KB, in turns; the digests of both documents are kept by the signatures of the
 * warm-up.
 */
export async function signingAct20MB(): Promise<Measure> {
  return withProduct(3340, async ({ product, client, dataDir }) => {
    const { session, key } = await someSigner(client, join(dataDir, 'keys'))
    await allowSending(client, session.organizationId)
    const call = caller(product, session.cookie)
    const { routeId, pointId } = await routeOf(client, call, session.organizationId, session.userId)
    const documents = await Promise.all(
      large.bytes.map(async (bytes, number) => {
        const document = pdfOf(number, bytes)
        return { document, id: (await call(uploadPath(session.organizationId), document)).id }
      }),
    )
    const sign = actor(product, session)
    const times: [number[], number[]] = [[], []]
    for (let act = 0; act < large.warmUp + large.acts; act++) {
      for (const [i, { document, id: documentId }] of documents.entries()) {
        const sent = await call(`SigningRequests/${session.organizationId}`, {
          documentId,
          routeId,
          name: 'Bench',
        })
        // A signature can be used for one act only, so each has its own second.
        const signingTime = new Date(Date.now() - act * 1000)
        const cms = Buffer.from(await signDetached(document, key, { signingTime }))
        const start = performance.now()
        await sign({ signingRequestId: sent.id, pointId, number: act, cms })
        if (act >= large.warmUp) times[i]!.push(performance.now() - start)
      }
    }
    const [small, big] = times.map((all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!) as [
      number,
      number,
    ]
    const ratio = rounded(big / small)
    return {
      name: 'signingAct20MB',
      value: rounded(big),
      anchor: rounded(small),
      ratio,
      goal: `ratio <= ${large.goal}`,
      ok: ratio <= large.goal,
      note: 'milliseconds of an act, median',
    }
  })
}

type PreparedAct = { signingRequestId: string; pointId: string; number: number; cms: Buffer }

/** One of a few documents of a megabyte, which differ in content that no page shows. */
function megabyte(number: number): Buffer {
  return pdfOf(number % documents, 1_000_000)
}

/** As many requests as acts, each waiting for the one signature that goes with it. */
async function sendMany(
  product: Product,
  client: pg.Client,
  { cookie, organizationId, userId }: SignerSession,
  key: CmsSigner,
): Promise<PreparedAct[]> {
  await allowSending(client, organizationId)
  const call = caller(product, cookie)
  const { routeId, pointId } = await routeOf(client, call, organizationId, userId)
  const uploaded: string[] = []
  for (let number = 0; number < documents; number++)
    uploaded.push((await call(uploadPath(organizationId), megabyte(number))).id)
  const asked: PreparedAct[] = []
  const now = Date.now()
  for (let number = 0; number < warmUp + acts; number++) {
    const documentId = uploaded[number % documents]
    const form = { documentId, routeId, name: `Bench ${number}` }
    const sent = await call(`SigningRequests/${organizationId}`, form)
    // A signature can be used for one act only, so each over the same document has its own second.
    const signingTime = new Date(now - Math.floor(number / documents) * 1000)
    const cms = Buffer.from(await signDetached(megabyte(number), key, { signingTime }))
    asked.push({ signingRequestId: sent.id, pointId, number, cms })
  }
  return asked
}

function actor(product: Product, { cookie, organizationId }: SignerSession) {
  const call = caller(product, cookie)
  return async ({ signingRequestId, pointId, cms }: PreparedAct) => {
    const path = `SigningRequests/${organizationId}/CompanyInternalSign/sign`
    const body = { signingRequestId, pointId, signature: cms.toString('base64') }
    const { status } = await call<{ status: number }>(path, body)
    if (status !== 8) throw new Error(`the signature was not accepted: status ${status}`)
  }
}

/** Distributes the work among the concurrent clients; each takes the next item. */
async function shared<T>(work: readonly T[], act: (one: T) => Promise<void>) {
  const left = [...work]
  const times: number[] = []
  const began = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let one = left.pop(); one !== undefined; one = left.pop()) {
        const start = performance.now()
        await act(one)
        times.push(performance.now() - start)
      }
    }),
  )
  const seconds = (performance.now() - began) / 1000
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { seconds, median: at(0.5), p99: at(0.99) }
}

async function checkAlone(dataDir: string, asked: readonly PreparedAct[]) {
  const pathOf = (number: number) => join(dataDir, `document-${number}`)
  for (const { number } of asked) writeFileSync(pathOf(number), megabyte(number))
  const clock = () => new Date()
  const privateHosts = [`localhost:${port + 1}`, `127.0.0.1:${port + 1}`]
  const pki = { ocspUrl: undefined, tspUrl: undefined, crlUrls: [], privateHosts }
  const call = createOutboundCaller({ known: knownServices(pki), clock })
  const centre = openCentre({ pki, dataDir: join(dataDir, 'alone'), caller: call, examineCrl, clock })
  const checks = openSignatureChecks({ ...readTrust(join(dataDir, 'certification-centre')), centre })
  try {
    const check = async ({ number, cms }: PreparedAct) => {
      const document = { path: pathOf(number) }
      const job = { signature: cms, document, at: clock(), policy: documentPolicy }
      const { faults, signers } = await checks.check(job)
      const found = [...faults, ...signers.flatMap((signer) => signer.faults)]
      if (found.length > 0) throw new Error(`the signature does not pass: ${found.join(', ')}`)
    }
    await shared(asked.slice(0, warmUp), check)
    return await shared(asked.slice(warmUp), check)
  } finally {
    await checks.close()
  }
}
