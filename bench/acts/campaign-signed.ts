/**
 * Signatures in a campaign of 500 people against those in campaigns of 10: everybody has a key of the stand-in
 * centre, opens the document and signs it, eight at a time; each signature is judged by the workers of the product
 * (OCSP of the stand-in) before the call returns. The cost of a signature must not grow with the number of others.
 * Then the electronic document with all signatures is built.
 */
import { join } from 'node:path'
import { newId } from '@kelisim/db/id.ts'
import { keyPassword } from '@kelisim/demo/keys.ts'
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { checkDigit } from '@kelisim/domain/numbers.ts'
import { openPkcs12 } from '@kelisim/signature/signer/pkcs12.ts'
import { signDetached, type CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { openCentre, type Centre } from '@kelisim/stand-ins/certification-centre/centre.ts'
import { rounded, type Measure } from '../parts/measure.ts'
import { sessionOf } from '../parts/session.ts'
import { caller, uploadPath } from '../parts/work.ts'
import { addMember, withSenders, type SenderPlace, type Sender } from './senders.ts'

const most = 2
const large = 500
const small = { people: 10, campaigns: 3 }
const atOnce = 8

export async function campaignSigned(): Promise<Measure> {
  return withSenders({ port: 3750, delayMs: 0, organizations: 2 }, async (place) => {
    const [few, many] = place.senders as [Sender, Sender]
    const centre = await openCentre({ folder: join(place.product.dataDir, 'certification-centre') })
    const fewSigners = await signersOf(place, few, centre, small.people)
    const manySigners = await signersOf(place, many, centre, large)
    await signAll(place, few, fewSigners)
    const ofFew: Costs[] = []
    for (let i = 0; i < small.campaigns; i++) ofFew.push(await signAll(place, few, fewSigners))
    const anchor = ofFew.reduce((sum, { each }) => sum + each, 0) / small.campaigns
    const { each: value, electronic } = await signAll(place, many, manySigners)
    const { electronic: fewElectronic } = ofFew.at(-1)!
    const ratio = rounded(value / anchor)
    return {
      name: 'campaignSigned',
      value: rounded(value),
      anchor: rounded(anchor),
      ratio,
      goal: `<= ${most} x the time of a signature in a campaign of ${small.people}`,
      ok: ratio <= most,
      note:
        `milliseconds a signature with its reading and judging, ${large} people, ${atOnce} at once; ` +
        `electronic document ${rounded(electronic)} ms a signature (of ${small.people}: ${rounded(fewElectronic)})`,
    }
  })
}

type Signer = Pick<Sender, 'cookie' | 'call'> & { key: CmsSigner }

/** The owner and as many employees as needed, each with a key of the organisation. */
async function signersOf(
  { product, client }: SenderPlace,
  { organizationId, cookie, call }: Sender,
  centre: Centre,
  count: number,
): Promise<Signer[]> {
  const { rows } = await client.query<{ bin: string }>('select bin from organizations where id = $1', [
    organizationId,
  ])
  const { bin } = rows[0]!
  const signers: Signer[] = [{ cookie, call, key: await newKey(centre, bin) }]
  while (signers.length < count) {
    const own = await sessionOf(client, await addMember(client, organizationId, 'Employee'))
    signers.push({ cookie: own, call: caller(product, own), key: await newKey(centre, bin) })
  }
  return signers
}

let people = 0

async function newKey(centre: Centre, bin: string): Promise<CmsSigner> {
  const { p12 } = await centre.issue({
    kind: 'gost-kz-512',
    person: { surname: 'Қызметкер', firstName: `Нөмір ${++people}`, patronymic: '', iin: nextIin() },
    organization: { name: 'Bench', bin, role: 'employee' },
    password: keyPassword,
  })
  const opened = await openPkcs12(p12, keyPassword)
  const entry = opened.outcome === 'opened' ? opened.contents.entries[0] : undefined
  if (!entry?.certificate) throw new Error('the key does not open')
  return { key: entry.key, certificate: entry.certificate }
}

let serial = 30_000

/** Not every number of eleven digits has a check digit. */
function nextIin(): string {
  for (;;) {
    const eleven = `900101${serial++}`
    const digit = checkDigit(eleven)
    if (digit !== null) return `${eleven}${digit}`
  }
}

/** Milliseconds per signature: for signing, and for building the electronic document. */
type Costs = { each: number; electronic: number }

/** A campaign for everybody. */
async function signAll(
  { product: { url } }: SenderPlace,
  author: Sender,
  signers: readonly Signer[],
): Promise<Costs> {
  const { call, cookie, organizationId } = author
  const document = makePdf([newId()])
  const { id: documentId } = await call(uploadPath(organizationId), document)
  const form = { documentId, name: 'Rules', isEverybody: true, signedWith: 'employee' }
  const { signingRequestId } = await call<{ signingRequestId: string }>(`Campaigns/${organizationId}`, form)
  const waiting: (Signer & { signature: string })[] = []
  for (const signer of signers) {
    const cms = await signDetached(document, signer.key, { signingTime: new Date() })
    waiting.push({ ...signer, signature: Buffer.from(cms).toString('base64') })
  }
  const from = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let signer = waiting.pop(); signer; signer = waiting.pop())
        await sign(url, signer, { organizationId, signingRequestId })
    }),
  )
  const each = (performance.now() - from) / signers.length
  const { counts } = await read<{ counts: { confirmed: number } }>(
    `${url}/api/Campaigns/${organizationId}/${signingRequestId}`,
    cookie,
  )
  if (counts.confirmed !== signers.length)
    throw new Error(`only ${counts.confirmed} of ${signers.length} signatures were accepted`)
  const files = `${url}/api/SigningRequests/${organizationId}/${signingRequestId}`
  const began = performance.now()
  const given = await fetch(`${files}/electronic/signing`, { headers: { cookie } })
  if (!given.ok) throw new Error(`the electronic document: ${given.status}`)
  await given.bytes()
  return { each, electronic: (performance.now() - began) / signers.length }
}

async function sign(
  url: string,
  { cookie, call, signature }: Signer & { signature: string },
  { organizationId, signingRequestId }: { organizationId: string; signingRequestId: string },
): Promise<void> {
  const { points, currentVersion, revision } = await read<{
    points: { pointId: string }[]
    currentVersion: number
    revision: number
  }>(`${url}/api/SigningRequests/${organizationId}/${signingRequestId}`, cookie)
  const { pointId } = points[0]!
  const act = `SigningRequests/${organizationId}/InternalInformationConfirm/sign`
  await call(act, { signingRequestId, pointId, currentVersion, revision, signature })
}

async function read<R>(address: string, cookie: string): Promise<R> {
  const response = await fetch(address, { headers: { cookie } })
  if (!response.ok) throw new Error(`${address} responded ${response.status}`)
  return (await response.json()) as R
}
