/**
 * `npm run -s simulate`: thirty years of an archive in a minute or two. Documents are signed in the first year;
 * centres and timestamp services are replaced every three years, and SHA-256 is declared broken in the twelfth.
 * Documents that are renewed must pass at the end, others must not.
 */
import { judge, worst } from '@kelisim/domain/signatures/verdict.ts'
import { hash, type HashName } from '@kelisim/signature/algorithms/hash.ts'
import { isHashSecure, type HashEnds } from '@kelisim/signature/algorithms/lifetimes.ts'
import { addEvidence } from '@kelisim/signature/cms/build.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import {
  batchOver,
  composedRecord,
  leafOfDocument,
  type KeptChain,
} from '@kelisim/signature/evidence-records/compose.ts'
import { examineRecord } from '@kelisim/signature/evidence-records/examine.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import { defaultPolicy, evidenceAtHand, type Setting } from '@kelisim/signature/examination/policy.ts'
import { readOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import { signDetached } from '@kelisim/signature/signer/sign-cms.ts'
import { minute } from '@kelisim/signature/time/durations.ts'
import { foundEra, yearsLater, type Era } from './simulate/nation.ts'

const count = Number(process.argv[2] ?? 1000)
const nights = 10
const years = 30
/** Each era ends a year after the next one begins, so that there is time to renew. */
const [eraLength, overlap] = [3, 1]
const brokenIn = 12
const hashEnds: HashEnds = { 'sha-256': yearsLater(brokenIn) }

type KeptContract = { document: Uint8Array; cms: Uint8Array; chains: KeptChain[] }

const eras: Era[] = []
for (let from = 0; from < years; from += eraLength) {
  // keys that sign with SHA-256 until it is about to be broken
  const kind = from < brokenIn - eraLength ? 'rsa' : 'gost-kz-512'
  eras.push(await foundEra(kind, from, from + eraLength + overlap))
}
const eraAt = (year: number) => eras.findLast(({ from }) => from <= year)!

const archive: KeptContract[] = []
const people = await Promise.all(Array.from({ length: 5 }, (_, i) => eras[0]!.person(`ТЕСТОВ ТЕСТ ${i}`)))
let timestamps = 0
for (let night = 0; night < nights; night++) {
  const at = yearsLater(0.05 + night / 20)
  const fresh: KeptContract[] = []
  for (let i = night; i < count; i += nights) fresh.push(await signed(i, at))
  await addChain(fresh, 'sha-256', 0.05 + night / 20)
  archive.push(...fresh)
}
print(`${archive.length} documents signed in the first year and archived in ${nights} nights`)

let name: HashName = 'sha-256'
for (let year = 1; year < years; year++) {
  const isHashEnding = !isHashSecure(name, yearsLater(year + 1), hashEnds)
  const last = archive[0]!.chains.at(-1)!.timestamps.at(-1)!
  if (isHashEnding) {
    name = 'sha-512'
    await addChain(archive, name, year + 0.5)
    print(`year ${year}: every document hashed again with ${name}, under one timestamp`)
  } else if (endOf(last.token) <= year + 1) {
    const renewed = await renew(year + 0.5)
    print(`year ${year}: ${renewed} timestamps renewed by one`)
  }
}

const at = yearsLater(years)
let [passed, control] = [0, 0]
for (const kept of archive) {
  if (await isPassed(kept, composedRecord(kept.chains))) passed++
  if (await isPassed(kept, null)) control++
}
console.log(
  JSON.stringify({ years, documents: archive.length, timestamps, renewed: passed, notRenewed: control }),
)
process.exitCode = passed === archive.length && control === 0 ? 0 : 1

async function signed(number: number, at: Date): Promise<KeptContract> {
  const era = eras[0]!
  const person = people[number % people.length]!
  const document = new TextEncoder().encode(`Contract No. ${number}`)
  const bare = await signDetached(document, person, { signingTime: at })
  const { signature } = readSignedData(bare).signers[0]!
  const later = new Date(Number(at) + minute)
  const cms = addEvidence(bare, 0, {
    timestamps: [await era.timestamp('sha-256', hash('sha-256', signature), at)],
    certificates: [era.centre.der],
    basicOcspResponses: [readOcspResponse(await era.good(person.certificate, later)).basic!.der],
  })
  return { document, cms, chains: [] }
}

/** Takes one timestamp over all documents, each with the chains it has already. */
async function addChain(documents: readonly KeptContract[], name: HashName, year: number): Promise<void> {
  const digests = documents.map(({ document, cms }) => [hash(name, document), hash(name, cms)])
  const leaves = documents.map(({ chains }, i) => leafOfDocument(name, digests[i]!, chains))
  const batch = batchOver(name, leaves)
  const token = await timestampAt(name, batch.root, year)
  for (const [i, kept] of documents.entries()) {
    const timestamp = { token, siblings: batch.siblingsOf(i) }
    kept.chains.push({ hash: name, digests: digests[i]!, timestamps: [timestamp] })
  }
}

/** Takes one timestamp over the last timestamps of all documents. */
async function renew(year: number): Promise<number> {
  const tokens = [...new Set(archive.map(({ chains }) => chains.at(-1)!.timestamps.at(-1)!.token))]
  const batch = batchOver(
    name,
    tokens.map((token) => hash(name, token)),
  )
  const token = await timestampAt(name, batch.root, year)
  for (const { chains } of archive) {
    const chain = chains.at(-1)!
    const siblings = batch.siblingsOf(tokens.indexOf(chain.timestamps.at(-1)!.token))
    chains[chains.length - 1] = { ...chain, timestamps: [...chain.timestamps, { token, siblings }] }
  }
  return tokens.length
}

function timestampAt(name: HashName, root: Uint8Array, year: number): Promise<Uint8Array> {
  timestamps++
  // an hour after what it covers was made
  return eraAt(year).timestamp(name, root, new Date(Number(yearsLater(year)) + 60 * minute))
}

/** The year in which the service of a timestamp ends. */
function endOf(token: Uint8Array): number {
  const [certificate] = readSignedData(token).certificates
  const era = eras.find(({ centre }) => isIssuedBy(certificate!, centre.subject))
  return era!.to
}

function isIssuedBy(certificate: Uint8Array, issuer: Uint8Array): boolean {
  return Buffer.from(certificate).includes(Buffer.from(issuer))
}

async function isPassed({ document, cms }: KeptContract, record: Uint8Array | null): Promise<boolean> {
  const setting: Setting = {
    trust: { roots: eras.map(({ root }) => root), others: eras.map(({ centre }) => centre) },
    evidence: evidenceAtHand({ crls: [], ocsp: [] }),
    policy: { ...defaultPolicy, timestampLife: 'until-check', hashEnds },
    at,
  }
  const files = [document, cms].map((bytes, i) => ({ name: `${i}`, pieces: () => [bytes] }))
  const proof = record && (await examineRecord(record, files, setting))
  const existedAt = proof?.existedAt
  const { findings, signers } = await examineSignature(cms, [document], {
    ...setting,
    ...(existedAt && { provedAt: existedAt, documentProvedAt: existedAt }),
  })
  const verdicts = [proof?.findings ?? [], findings, ...signers.map((one) => one.findings)].map((one) =>
    judge(one),
  )
  return signers.length === 1 && worst(verdicts).verdict === 'TOTAL-PASSED'
}

function print(text: string): void {
  console.error(text)
}
