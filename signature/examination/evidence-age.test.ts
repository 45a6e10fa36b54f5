/**
 * Evidence of non-revocation has an age (docs/decisions/018-evidence-has-an-age.md). The table: when the evidence was
 * produced, of which kind it is, whether it is valid, and what the centre answers when asked, with the verdict that
 * follows. The same for evidence inside the signature and for evidence at hand.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { isSame } from '../asn1/values.ts'
import { addEvidence } from '../cms/build.ts'
import { readSignedData } from '../cms/signed-data.ts'
import { readCrl, type Crl } from '../revocation/crl.ts'
import {
  certIdOf,
  readBasicOcspResponse,
  readOcspResponse,
  type BasicOcspResponse,
} from '../revocation/ocsp.ts'
import { makeCrl } from '../signer/issue.ts'
import { answerOcsp } from '../signer/ocsp-responder.ts'
import { signDetached } from '../signer/sign-cms.ts'
import { daysLater, foundNation, settingIn, signedOn, type Nation } from '../testing/nation.ts'
import { hour, minute } from '../time/durations.ts'
import { examineSignature, type SignerExamination } from './examine.ts'
import type { Evidence, Policy } from './policy.ts'

const document = new TextEncoder().encode('Шарт')
/** Timestamped at `signedOn`, checked an hour later. Without a timestamp, received at the time of the check. */
const checkedAt = new Date(Number(signedOn) + hour)

let nation: Nation
let stranger: Nation
let plain: Uint8Array
let stamped: Uint8Array

beforeAll(async () => {
  nation = await foundNation('gost-kz-512')
  stranger = await foundNation('gost-kz-512', 'Stranger')
  plain = await signDetached(document, nation.person, { signingTime: signedOn })
  const [signer] = readSignedData(plain).signers
  stamped = addEvidence(plain, 0, { timestamps: [await nation.stamp(signer!.signature)] })
})

const forms = ['timestamped', 'not timestamped'] as const
const kinds = ['ocsp', 'crl'] as const
const ages = ['before', 'at', 'after'] as const
const validities = ['valid', 'forged', 'of a stranger', 'expired'] as const
const services = ['good', 'revoked', 'unreachable'] as const
type Form = (typeof forms)[number]
type Kind = (typeof kinds)[number]
type Age = (typeof ages)[number]
type Validity = (typeof validities)[number]
type Service = (typeof services)[number]

/** The time for which evidence is needed. */
const momentOf = (form: Form) => (form === 'timestamped' ? signedOn : checkedAt)

function producedAt(form: Form, age: Age): Date {
  const distance = { before: -20 * minute, at: 0, after: form === 'timestamped' ? 20 * minute : 0 }[age]
  return new Date(Number(momentOf(form)) + distance)
}

async function evidence(kind: Kind, validity: Validity, at: Date): Promise<Evidence> {
  const flipped = (der: Uint8Array) => der.with(der.length - 3, der.at(-3)! ^ 1)
  if (kind === 'ocsp') {
    const by = validity === 'of a stranger' ? stranger.responder : nation.responder
    const response = await nation.ocsp(nation.person.certificate, 'good', at, by)
    const ocsp = validity === 'forged' ? readBasicOcspResponse(forgedOcsp(response)) : response
    return { ocsp: [validity === 'expired' ? await expiredOcsp(at) : ocsp], crls: [] }
  }
  const keys = validity === 'of a stranger' ? stranger.person.key : nation.centreParty.keys
  const list = await nation.crl([], at, { ...nation.centreParty, keys })
  const crl = validity === 'forged' ? readCrl(flipped(list.der)) : list
  return { ocsp: [], crls: [validity === 'expired' ? await expiredList(at) : crl] }
}

/** One bit of the response's signature flipped; the signature lies before the responder's certificate. */
function forgedOcsp({ der, signature }: BasicOcspResponse): Uint8Array {
  const at = signature.byteOffset - der.byteOffset + 5
  return der.with(at, der[at]! ^ 1)
}

/**
 * A response whose validity ended before that time. Embedded evidence counts from when it was produced, so this one
 * is older still.
 */
const expiredOcsp = (at: Date) =>
  nation.ocsp(nation.person.certificate, 'good', new Date(Number(at) - 48 * hour))

async function expiredList(at: Date): Promise<Crl> {
  const [thisUpdate, nextUpdate] = [48, 24].map((hours) => new Date(Number(at) - hours * hour))
  return readCrl(
    await makeCrl({
      issuer: nation.centreParty,
      thisUpdate: thisUpdate!,
      nextUpdate: nextUpdate!,
      entries: [],
      number: 1,
    }),
  )
}

/** Revoked before the signature existed. */
const revokedAt = daysLater(-0.2)

async function answered(service: Service): Promise<Evidence> {
  if (service === 'unreachable') return { crls: [], ocsp: [], unreachable: ['ocsp'] }
  const status = service === 'good' ? 'good' : { revokedAt }
  return { crls: [], ocsp: [await nation.ocsp(nation.person.certificate, status, checkedAt)] }
}

async function examined(
  cms: Uint8Array,
  online: (isProvedGood: boolean) => Promise<Evidence>,
  policy: Partial<Policy> = {},
): Promise<SignerExamination> {
  const { signers } = await examineSignature(cms, [document], {
    ...settingIn(nation, { at: checkedAt, revocation: 'any', ...policy }),
    evidence: ({ serial }, _, isProvedGood) =>
      isSame(serial, nation.person.certificate.serial)
        ? online(isProvedGood)
        : Promise.resolve({ crls: [], ocsp: [] }),
  })
  return signers[0]!
}

const isGoodEvidence = (age: Age, validity: Validity) => validity === 'valid' && age !== 'before'

/** passed, revoked, or later (to be checked again); there is no other result. */
function meaningOf({ findings }: SignerExamination): string {
  if (findings.length === 0) return 'passed'
  if (findings.some((one) => one.startsWith('revoked-'))) return 'revoked'
  const isLater = (one: string) => /^(revocation-|ocsp-|crl-)/.test(one) && !one.startsWith('revoked')
  return findings.every(isLater) ? 'later' : findings.join()
}

const rows = forms.flatMap((form) =>
  kinds.flatMap((kind) =>
    ages.flatMap((age) =>
      validities.flatMap((validity) => services.map((service) => ({ form, kind, age, validity, service }))),
    ),
  ),
)

describe('evidence inside the signature', () => {
  test.each(rows)('$form, $kind, $age, $validity; the centre: $service', async (row) => {
    const { form, kind, age, validity, service } = row
    const { ocsp, crls } = await evidence(kind, validity, producedAt(form, age))
    const cms = addEvidence(form === 'timestamped' ? stamped : plain, 0, {
      basicOcspResponses: ocsp.map(({ der }) => der),
      crls: crls.map(({ der }) => der),
    })
    const isGood = isGoodEvidence(age, validity)
    const online = async () => answered(service)
    const expected = service === 'revoked' ? 'revoked' : service === 'good' || isGood ? 'passed' : 'later'
    expect(meaningOf(await examined(cms, online))).toBe(expected)
    // the centre is asked unless valid evidence answers already
    let wasProved: boolean | null = null
    await examined(cms, async (isProvedGood) => {
      wasProved = isProvedGood
      return { crls: [], ocsp: [] }
    })
    expect(wasProved).toBe(isGood)
  })
})

describe('evidence at hand, in files or from kept lists', () => {
  test.each(rows)('$form, $kind, $age, $validity; the centre: $service', async (row) => {
    const { form, kind, age, validity, service } = row
    const given = await evidence(kind, validity, producedAt(form, age))
    const online = async (): Promise<Evidence> => {
      const more = await answered(service)
      return { ...more, ocsp: [...given.ocsp, ...more.ocsp], crls: [...given.crls, ...more.crls] }
    }
    const isEnough = service === 'good' || isGoodEvidence(age, validity)
    const expected = service === 'revoked' ? 'revoked' : isEnough ? 'passed' : 'later'
    expect(meaningOf(await examined(form === 'timestamped' ? stamped : plain, online))).toBe(expected)
  })
})

test('clocks may differ by five minutes, and not more', async () => {
  const list = async (minutes: number) => {
    const at = new Date(Number(signedOn) - minutes * minute)
    return { ocsp: [], crls: [await nation.crl([], at)] }
  }
  expect((await examined(stamped, () => list(5))).findings).toEqual([])
  expect((await examined(stamped, () => list(6))).findings).toEqual(['revocation-before-signature'])
})

test('a response that is signed today about yesterday counts as of yesterday', async () => {
  const response = await answerOcsp({
    responder: { subject: nation.responder.certificate.subject, keys: nation.responder.key },
    producedAt: checkedAt,
    answers: [
      {
        question: certIdOf(nation.person.certificate.serial, nation.centre, 'sha-256'),
        status: 'good',
        thisUpdate: daysLater(-0.5),
        nextUpdate: daysLater(1),
      },
    ],
    certificates: [nation.responder.certificate.der],
  })
  const ocsp = [readOcspResponse(response).basic!]
  expect((await examined(stamped, async () => ({ crls: [], ocsp }))).findings).toEqual([
    'revocation-before-signature',
  ])
})

test('a revocation counts however old its evidence is', async () => {
  const old = await nation.crl([{ certificate: nation.person.certificate, revokedAt }], daysLater(-0.1))
  const cms = addEvidence(stamped, 0, { crls: [old.der] })
  expect((await examined(cms, async () => answered('unreachable'))).findings).toEqual(['revoked-by-crl'])
})

test('a signature that was received earlier is proved by evidence from after its receipt', async () => {
  const crls = [await nation.crl([], new Date(Number(signedOn) + 30 * minute))]
  const setting = settingIn(nation, { at: checkedAt, revocation: 'any', evidence: { crls } })
  const found = async (receivedAt: Date) =>
    (await examineSignature(plain, [document], { ...setting, receivedAt })).signers[0]!.findings
  expect(await found(signedOn)).toEqual([])
  expect(await found(checkedAt)).toEqual(['revocation-before-signature'])
})

test('a path that is judged at a time needs evidence that is current then', async () => {
  const crls = [await nation.crl([], daysLater(-0.5))]
  const online = async () => ({ crls, ocsp: [] })
  expect((await examined(plain, online, { evidenceAge: 'current' })).findings).toEqual([])
})

test('the list of a root may be older than the signature, if it is the current one', async () => {
  const setting = settingIn(nation, {
    at: checkedAt,
    revocation: 'any',
    issuerRevocation: 'required',
    evidence: {
      ocsp: [await nation.ocsp(nation.person.certificate, 'good', checkedAt)],
      crls: [await nation.crl([], daysLater(-0.5), nation.rootParty)],
    },
  })
  expect((await examineSignature(plain, [document], setting)).signers[0]!.findings).toEqual([])
})

test('a timestamp whose service is not known to be good now can be checked again later', async () => {
  const setting = settingIn(nation, {
    at: checkedAt,
    revocation: 'any',
    issuerRevocation: 'required',
    evidence: {
      ocsp: [await nation.ocsp(nation.person.certificate, 'good', checkedAt)],
      crls: [await nation.crl([], daysLater(-0.5), nation.rootParty)],
      unreachable: ['ocsp'],
    },
  })
  expect((await examineSignature(stamped, [document], setting)).signers[0]!.findings).toEqual([
    'timestamp-revocation-unknown',
  ])
})

test('a delta that lifts a hold counts inside the signature as from elsewhere', async () => {
  const { serial } = nation.person.certificate
  const list = (parts: Partial<Parameters<typeof makeCrl>[0]>) =>
    makeCrl({
      issuer: nation.centreParty,
      thisUpdate: signedOn,
      nextUpdate: daysLater(1),
      entries: [],
      number: 1,
      ...parts,
    })
  const hold = { serial, revokedAt: daysLater(-1), reason: 'certificateHold' } as const
  const full = await list({ entries: [hold] })
  const lifted = { serial, revokedAt: daysLater(-1), reason: 'removeFromCRL' } as const
  const thisUpdate = new Date(Number(signedOn) + 10 * minute)
  const delta = await list({ thisUpdate, number: 2, baseNumber: 1, entries: [lifted] })
  const inside = addEvidence(stamped, 0, { crls: [full, delta] })
  const outside = { crls: [full, delta].map((der) => readCrl(der)), ocsp: [] }
  expect((await examined(stamped, async () => outside)).findings).toEqual([])
  expect((await examined(inside, async () => ({ crls: [], ocsp: [] }))).findings).toEqual([])
  const onlyFull = addEvidence(stamped, 0, { crls: [full] })
  expect((await examined(onlyFull, async () => ({ crls: [], ocsp: [] }))).findings).toEqual(['on-hold'])
})
