/**
 * Signing acts a second over HTTP: a GOST 512 signature of a 1 MB document is received, stored, judged by a worker
 * (OCSP and CRLs from the stand-in of the certification centre) and saved; against the judging alone, by as many
 * workers with as many concurrent jobs.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import { newId } from '@kelisim/db/id.ts'
import { keyPassword } from '@kelisim/demo/keys.ts'
import { withTable } from '@kelisim/demo/sample-files.ts'
import { pointTypes } from '@kelisim/domain/points/point-types.ts'
import { examineCrl } from '@kelisim/server/signatures/answer-from-centre.ts'
import { openSignatureChecks } from '@kelisim/server/signatures/check.ts'
import { createOutboundCaller } from '@kelisim/server/signatures/outbound/call.ts'
import { knownServices, openCentre } from '@kelisim/server/signatures/outbound/centre.ts'
import { readTrust } from '@kelisim/server/signatures/trust.ts'
import { documentPolicy } from '@kelisim/server/requests/judging/judging.ts'
import { ncaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import { openPkcs12 } from '@kelisim/signature/signer/pkcs12.ts'
import { signDetached, type CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { rounded, type Measure } from './parts/measure.ts'
import { startProduct, temporaryData, type Product } from './parts/product.ts'
import { someSession } from './parts/session.ts'

const goal = { ratio: 0.6, tail: 5 }
const port = 3276
const clients = 4
const warmUp = 40
const acts = 400

export async function signingAct(): Promise<Measure> {
  const dataDir = temporaryData()
  const product = await startProduct(port, dataDir)
  const database = await startEmbedded(join(dataDir, 'postgres')) // adopts the one the product started
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    const session = await someSession(database.connection)
    const { rows } = await client.query<{ bin: string }>('select bin from organizations where id = $1', [
      session.organizationId,
    ])
    const document = megabyte()
    const cms = await signDetached(document, await keyWith(join(dataDir, 'keys'), rows[0]!.bin), {
      signingTime: new Date(),
    })
    const asked = await sendMany(product, client, session, document)
    const sign = actor(product, session, Buffer.from(cms).toString('base64'))
    await shared(asked.slice(0, warmUp), sign)
    const times = await shared(asked.slice(warmUp), sign)
    const alone = await checkAlone(dataDir, document, cms)
    const [value, anchor] = [acts / times.seconds, acts / alone.seconds]
    const tail = times.p99 / times.median
    const ratio = rounded(value / anchor)
    return {
      name: 'signingAct',
      value: rounded(value),
      anchor: rounded(anchor),
      ratio,
      goal: `ratio >= ${goal.ratio}, p99 <= ${goal.tail} x median with ${clients} clients`,
      ok: ratio >= goal.ratio && tail <= goal.tail,
      note: `acts a second; median ${rounded(times.median)} ms, p99 ${rounded(times.p99)} ms (${rounded(tail)} x)`,
    }
  } finally {
    await client.end()
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Session = Awaited<ReturnType<typeof someSession>>
type SigningPoint = { signingRequestId: string; pointId: string }

/** A PDF with an invisible picture. */
function megabyte(): Buffer {
  const noise = createHash('shake256', { outputLength: 1_000_000 })
    .update('document')
    .digest('hex')
    .slice(0, 1_000_000)
  return withTable('%PDF-1.7\n', [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
    `<< /Length ${noise.length + 2} >>\nstream\n%${noise}\nendstream`,
  ])
}

async function keyWith(folder: string, bin: string): Promise<CmsSigner> {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.p12'))) {
    const opened = await openPkcs12(readFileSync(join(folder, name)), keyPassword)
    if (opened.outcome !== 'opened') continue
    const [entry] = opened.contents.entries
    if (entry?.certificate && ncaProfile(entry.certificate).bin === bin) {
      return { key: entry.key, certificate: entry.certificate }
    }
  }
  throw new Error(`no key of ${bin}`)
}

/** As many requests as acts, each waiting for one signature. */
async function sendMany(
  product: Product,
  client: pg.Client,
  { cookie, organizationId, userId }: Session,
  document: Buffer,
): Promise<SigningPoint[]> {
  await client.query(
    `insert into subscriptions (id, organization_id, name_key, start_date, end_date, max_signing_requests, created_at)
     values ($1, $2, 'premium', current_date, '2099-01-01', null, now())`,
    [newId(), organizationId],
  )
  const groupId = newId()
  await client.query(`insert into groups values ($1, $2, 'Bench', now())`, [groupId, organizationId])
  await client.query('insert into group_participants values ($1, $2, $3)', [organizationId, groupId, userId])
  const call = caller(product, cookie)
  const point = await call<{ id: string }>('POST', `Points/${organizationId}`, {
    name: 'Bench',
    description: '',
    type: pointTypes.of('CompanyInternalSign'),
    visibilityScope: 2,
    groupId,
    responsiblePersons: [],
    agreementCondition: 'any',
    isEdsPresentationRequired: false,
    bin: null,
    organizationName: '',
    emails: [],
  })
  const route = await call<{ id: string }>('POST', `SignaturePointsRoutes/${organizationId}`, {
    name: 'Bench',
    description: '',
    visibilityScope: 2,
    points: [{ pointId: point.id, order: 1 }],
  })
  const uploaded = await call<{ id: string }>(
    'POST',
    `Documents/${organizationId}?name=bench.pdf&visibilityScope=1`,
    document,
  )
  const asked: SigningPoint[] = []
  for (let i = 0; i < warmUp + acts; i++) {
    const sent = await call<{ id: string }>('POST', `SigningRequests/${organizationId}`, {
      documentId: uploaded.id,
      routeId: route.id,
      name: `Bench ${i}`,
    })
    asked.push({ signingRequestId: sent.id, pointId: point.id })
  }
  return asked
}

function caller({ url }: Product, cookie: string) {
  return async <R>(method: string, path: string, body: object | Buffer): Promise<R> => {
    const isFile = Buffer.isBuffer(body)
    const answer = await fetch(`${url}/api/${path}`, {
      method,
      body: isFile ? new Uint8Array(body) : JSON.stringify(body),
      headers: {
        cookie,
        origin: url,
        'content-type': isFile ? 'application/octet-stream' : 'application/json',
      },
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as R
  }
}

function actor(product: Product, { cookie, organizationId }: Session, signature: string) {
  const call = caller(product, cookie)
  return async (asked: SigningPoint) => {
    const path = `SigningRequests/${organizationId}/CompanyInternalSign/sign`
    const { status } = await call<{ status: number }>('POST', path, { ...asked, signature })
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

async function checkAlone(dataDir: string, document: Buffer, cms: Uint8Array) {
  const path = join(dataDir, 'document')
  writeFileSync(path, document)
  const clock = () => new Date()
  const privateHosts = [`localhost:${port + 1}`, `127.0.0.1:${port + 1}`]
  const pki = { ocspUrl: undefined, tspUrl: undefined, crlUrls: [], privateHosts }
  const call = createOutboundCaller({ known: knownServices(pki), clock })
  const centre = openCentre({ pki, dataDir: join(dataDir, 'alone'), caller: call, examineCrl, clock })
  const checks = openSignatureChecks({ ...readTrust(join(dataDir, 'certification-centre')), centre })
  try {
    const check = async () => {
      const job = { signature: cms, document: { path }, at: clock(), policy: documentPolicy }
      const { faults, signers } = await checks.check(job)
      const found = [...faults, ...signers.flatMap((signer) => signer.faults)]
      if (found.length > 0) throw new Error(`the signature does not pass: ${found.join(', ')}`)
    }
    await shared(
      Array.from({ length: warmUp }, (_, i) => i),
      check,
    )
    return await shared(
      Array.from({ length: acts }, (_, i) => i),
      check,
    )
  } finally {
    await checks.close()
  }
}
