/**
 * Runs a folder of vectors made by other software: `manifest.json` lists cases of several kinds, each with its files,
 * time, policy and expected result. Prints one line of JSON a case, then the count.
 */
import { createReadStream } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { judge, type Verdict } from '@kelisim/domain/signatures/verdict.ts'
import { curves, type CurveName } from '@kelisim/signature/algorithms/curves.ts'
import { hashToNumber, isSound, verifyPair } from '@kelisim/signature/algorithms/gost.ts'
import { groupOf } from '@kelisim/signature/algorithms/groups.ts'
import { createHash, type HashName } from '@kelisim/signature/algorithms/hash.ts'
import { curveOids, digestOids } from '@kelisim/signature/algorithms/oids.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import { examineCertificate } from '@kelisim/signature/examination/examine-certificate.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import { evidenceAtHand, type Policy, type Setting } from '@kelisim/signature/examination/policy.ts'
import { examineTimestamp } from '@kelisim/signature/examination/timestamps.ts'
import { startWork } from '@kelisim/signature/examination/work.ts'
import { examineXml } from '@kelisim/signature/xml/examine-xml.ts'
import { openPkcs12 } from '@kelisim/signature/signer/pkcs12.ts'
import { certificateReport, signatureReport, xmlReport } from './report.ts'
import { UsageError } from './arguments.ts'
import { checkpointReport } from './checkpoint.ts'
import { reportOf } from './judge-files.ts'
import { recordReport } from './record-report.ts'
import { readBytes, readCertificates, readCrls, readOcspResponses, readRoots } from './files.ts'

type Case = {
  id: string
  kind?: string
  /** Another name of `kind`. */
  type?: string
  expect: 'valid' | 'invalid' | 'indeterminate'
  file?: string
  /** Several for an evidence record. */
  content?: string | string[]
  trust?: string[]
  /** Another name of `trust`. */
  roots?: string[]
  intermediates?: string[]
  /** Another name of `intermediates`. */
  certs?: string[]
  crls?: string[]
  ocsp?: string[]
  at?: string
  policy?: ManifestPolicy
  optional?: boolean
  maxMs?: number
  password?: string
  leafSha256?: string
  curve?: string
  hash?: string
  x?: string
  y?: string
  r?: string
  s?: string
  alg?: string
  digest?: string
  /** Keys of a log and of witnesses: each a key itself or a file of keys. */
  keys?: string[]
  witnesses?: string[]
  quorum?: number
}

type ManifestPolicy = {
  signedAttrs?: 'required' | 'optional'
  signingCertificate?: 'required' | 'optional'
  timestamp?: 'ignore' | 'optional' | 'required'
  revocation?: 'none' | 'crl' | 'ocsp'
  keyUsage?: 'sign' | 'nonRepudiation'
  /** By default evidence must be current at the time of the case, because a case has only one set of evidence. */
  evidenceAge?: 'since-signature' | 'current'
}

export type CaseResult = {
  id: string
  expect: string
  verdict: Verdict['verdict']
  code: Verdict['code']
  ok: boolean
  ms: number
  /** Why the case itself could not be judged. */
  error?: string
}

export async function* runManifest(path: string): AsyncGenerator<CaseResult> {
  const { cases, defaults } = readManifest(path)
  const at = (file: string) => join(dirname(path), file)
  for (const one of cases) {
    const start = performance.now()
    const judged = await judgedCase(one, defaults, at)
    if ('error' in judged) {
      const { id = '', expect = '' }: { id?: string; expect?: string } = isObject(one) ? one : {}
      yield { id, expect, verdict: 'INDETERMINATE', code: null, ok: false, ms: 0, error: judged.error }
      continue
    }
    const { verdict, code } = judged
    const ms = Math.round((performance.now() - start) * 100) / 100
    const isExpected =
      one.expect === 'indeterminate'
        ? verdict === 'INDETERMINATE'
        : (verdict === 'TOTAL-PASSED') === (one.expect === 'valid')
    const ok = one.optional === true || (isExpected && ms <= (one.maxMs ?? Infinity))
    yield { id: one.id, expect: one.expect, verdict, code, ok, ms }
  }
}

/** An error in one case is reported in its line, and the other cases are still judged. */
async function judgedCase(
  one: Case,
  defaults: ManifestPolicy | undefined,
  at: (file: string) => string,
): Promise<Verdict | { error: string }> {
  try {
    if (!isObject(one)) throw new UsageError('The case is no object')
    checkCase(one)
    return await runCase(one, { ...defaults, ...one.policy }, at)
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

function isObject(one: unknown): one is object {
  return typeof one === 'object' && one !== null
}

type Manifest = { cases: Case[]; defaults?: ManifestPolicy }

function readManifest(path: string): Manifest {
  try {
    const manifest = JSON.parse(new TextDecoder().decode(readBytes(path))) as Partial<Manifest> | null
    if (Array.isArray(manifest?.cases) && manifest.cases.length > 0) {
      return { ...manifest, cases: manifest.cases }
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new UsageError(`${path} is not a manifest`)
}

/** A case without an expected result would always pass. */
function checkCase({ id, expect, at }: Case): void {
  if (!['valid', 'invalid', 'indeterminate'].includes(expect))
    throw new UsageError(`${id} expects neither valid nor invalid`)
  if (at !== undefined && Number.isNaN(new Date(at).getTime()))
    throw new UsageError(`${id}: ${at} is not a time`)
}

async function runCase(one: Case, policy: ManifestPolicy, at: (file: string) => string): Promise<Verdict> {
  const file = () => at(needed(one, 'file'))
  const named = (path: string) => ({ name: basename(path), bytes: readBytes(path) })
  switch (one.kind ?? one.type ?? '') {
    case 'pdf':
    case 'zip':
    case 'eml': {
      const content = one.content === undefined ? null : named(at(oneContent(one)))
      return reportOf([named(file())], content, { setting: settingOf(one, policy, at) })
    }
    case 'xml':
      return xmlReport(await examineXml(readBytes(file()), settingOf(one, policy, at)))
    case 'cms': {
      const content = one.content === undefined ? null : createReadStream(at(oneContent(one)))
      return signatureReport(await examineSignature(readBytes(file()), content, settingOf(one, policy, at)))
    }
    case 'chain':
      return certificateReport(await examineCertificate(readBytes(file()), settingOf(one, policy, at)))
    case 'tsp': {
      const work = startWork(settingOf(one, policy, at))
      const stamped = readBytes(at(oneContent(one)))
      return judge((await examineTimestamp(readBytes(file()), stamped, work.trust.others, work)).findings)
    }
    case 'checkpoint': {
      const given = {
        keys: needed(one, 'keys'),
        witnesses: one.witnesses ?? [],
        quorum: one.quorum,
      }
      if (given.quorum !== undefined && !Number.isSafeInteger(given.quorum))
        throw new UsageError(`${one.id}: ${given.quorum} is not a number of witnesses`)
      return checkpointReport(readBytes(file()), given, timeOf(one), at)
    }
    case 'er': {
      const content = [needed(one, 'content')].flat().map((path) => named(at(path)))
      return recordReport(readBytes(file()), content, settingOf(one, policy, at))
    }
    case 'p12': {
      // a file that must not open has no certificate to compare with
      const leafSha256 = one.expect === 'invalid' ? (one.leafSha256 ?? null) : needed(one, 'leafSha256')
      return passedIf(await opens(readBytes(file()), needed(one, 'password'), leafSha256))
    }
    case 'raw':
      return passedIf(isRawSignature(one))
    case 'digest': {
      const hash = createHash(hashNamed(needed(one, 'alg')))
      for await (const piece of createReadStream(file())) hash.update(piece as Uint8Array)
      return passedIf(toHex(hash.digest()) === needed(one, 'digest').toLowerCase())
    }
    default:
      throw new UsageError(`${one.id}: there is no kind ${one.kind ?? one.type}`)
  }
}

function settingOf(one: Case, policy: ManifestPolicy, at: (file: string) => string): Setting {
  const files = (paths: readonly string[] | undefined) => (paths ?? []).map(at)
  return {
    trust: {
      roots: readRoots(files(one.trust ?? one.roots)),
      others: readCertificates(files(one.intermediates ?? one.certs)),
    },
    evidence: evidenceAtHand({ crls: readCrls(files(one.crls)), ocsp: readOcspResponses(files(one.ocsp)) }),
    policy: {
      signedAttributes: policy.signedAttrs ?? 'required',
      signingCertificate: policy.signingCertificate ?? 'optional',
      timestamp: policy.timestamp ?? 'optional',
      revocation: policy.revocation ?? 'none',
      issuerRevocation: 'if-known',
      keyUsage: policy.keyUsage ?? 'sign',
      evidenceAge: policy.evidenceAge ?? 'current',
    } satisfies Policy,
    at: timeOf(one),
  }
}

function timeOf({ at }: Case): Date {
  return at === undefined ? new Date() : new Date(at)
}

function needed<K extends keyof Case>(one: Case, key: K): NonNullable<Case[K]> {
  const value = one[key]
  if (value === undefined || value === null) throw new UsageError(`${one.id} has no ${key}`)
  return value
}

function oneContent(one: Case): string {
  const [only, ...more] = [needed(one, 'content')].flat()
  if (only === undefined || more.length > 0) throw new UsageError(`${one.id} has more than one content`)
  return only
}

/** The verdict of a case without a signature, which passes or fails without a reason. */
function passedIf(isRight: boolean): Verdict {
  return isRight ? judge([]) : { verdict: 'TOTAL-FAILED', subIndication: null, code: null }
}

async function opens(p12: Uint8Array, password: string, leafSha256: string | null): Promise<boolean> {
  const opened = await openPkcs12(p12, password)
  if (opened.outcome !== 'opened') return false
  if (leafSha256 === null) return true
  return opened.contents.certificates.some(
    ({ der }) => toHex(createHash('sha-256').update(der).digest()) === leafSha256.toLowerCase(),
  )
}

function isRawSignature(one: Case): boolean {
  const curve = curveNamed(needed(one, 'curve'))
  const number = (key: 'x' | 'y' | 'r' | 's') => BigInt(`0x${needed(one, key).replace(/^0x/, '')}`)
  const key = { x: number('x'), y: number('y') }
  if (!isSound(curves[curve], key)) return false
  const digest = Uint8Array.from(Buffer.from(needed(one, 'hash'), 'hex'))
  const pair = { r: number('r'), s: number('s') }
  return verifyPair(groupOf(curve), key, hashToNumber(curves[curve], digest), pair)
}

/** Curves and hashes have many names; punctuation and case do not matter. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

function curveNamed(name: string): CurveName {
  const known = curveOids[name] ?? curveNames.find(([pattern]) => pattern.test(plain(name)))?.[1]
  if (!known) throw new UsageError(`There is no curve ${name}`)
  return known
}

const curveNames: readonly (readonly [RegExp, CurveName])[] = [
  [/512.*(paramset)?a$|512a/, 'tc26-512-a'],
  [/512.*(paramset)?b$|512b/, 'tc26-512-b'],
  [/512.*(paramset)?c$|512c/, 'tc26-512-c'],
  [/cryptoproa$|pkigovkza$|2004|cryptoproxcha$/, 'cryptopro-a'],
  [/cryptoprob$/, 'cryptopro-b'],
  [/cryptoproc$|cryptoproxchb$/, 'cryptopro-c'],
  [/256paramseta$|tc26256a|256a$/, 'tc26-256-a'],
  [/256paramsetb$|256b$/, 'cryptopro-a'],
  [/256paramsetc$|256c$/, 'cryptopro-b'],
  [/256paramsetd$|256d$/, 'cryptopro-c'],
]

function hashNamed(name: string): HashName {
  const known = digestOids[name] ?? hashNames.find(([pattern]) => pattern.test(plain(name)))?.[1]
  if (!known) throw new UsageError(`There is no hash ${name}`)
  return known
}

const hashNames: readonly (readonly [RegExp, HashName])[] = [
  [/(streebog|mdgost12|341112|34112012|34112015|3411).*512/, 'streebog-512'],
  [/(streebog|mdgost12|341112|34112012|34112015).*256/, 'streebog-256'],
  [/cryptopro|mdgost94/, 'gost-34.11-94'],
  [/3431195|34311|test|kz/, 'gost-34.311'],
  [/341194/, 'gost-34.11-94'],
  [/sha1$/, 'sha-1'],
  [/sha(2)?256/, 'sha-256'],
  [/sha(2)?384/, 'sha-384'],
  [/sha(2)?512/, 'sha-512'],
]
