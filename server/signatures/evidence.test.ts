/** CRLs come over plain HTTP: what an attacker in between may substitute for them. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  daysLater,
  foundNation,
  settingIn,
  signedOn,
  type Nation,
} from '@kelisim/signature/testing/nation.ts'
import type { EvidenceSource } from '@kelisim/signature/examination/policy.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import { signDetached } from '@kelisim/signature/signer/sign-cms.ts'
import type { CrlAnswer, OcspAnswer, Question } from './check-job.ts'
import { evidenceFromServices } from './evidence.ts'

const folder = mkdtempSync(join(tmpdir(), 'kelisim-evidence-'))
const document = new TextEncoder().encode('Шарт')
let nation: Nation
let stranger: Nation
let signature: Uint8Array
let fetched = 0

beforeAll(async () => {
  nation = await foundNation('gost-kz-2004')
  stranger = await foundNation('gost-kz-2004', 'Stranger')
  signature = await signDetached(document, nation.person, { signingTime: signedOn })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A worker whose centre publishes this at one address; OCSP is unavailable. */
function worker(name: string) {
  const path = join(folder, `${name}.crl`)
  const ask = async (question: Question): Promise<OcspAnswer | CrlAnswer> =>
    question.kind === 'ocsp' ? { isUnreachable: true } : { paths: [path], isUnreachable: false }
  return {
    evidence: evidenceFromServices(ask)(signedOn),
    publish: (bytes: Uint8Array) => {
      writeFileSync(path, bytes)
      // a new modification time makes it look like another file
      utimesSync(path, new Date(), new Date(Date.now() + ++fetched * 1000))
    },
  }
}

async function found(evidence: EvidenceSource): Promise<string[]> {
  const setting = { ...settingIn(nation, { revocation: 'any' }), evidence }
  const { signers } = await examineSignature(signature, [document], setting)
  return signers[0]!.findings
}

const revoked = () => [{ certificate: nation.person.certificate, revokedAt: daysLater(-1) }]

test('a CRL signed by the certification centre is used, and replaced by a newer one only', async () => {
  const { evidence, publish } = worker('plain')
  const seconds = (count: number) => new Date(Number(signedOn) + count * 1000)
  publish((await nation.crl()).der)
  expect(await found(evidence)).toEqual([])
  publish((await nation.crl(revoked(), seconds(-1))).der)
  expect(await found(evidence)).toEqual([])
  publish((await nation.crl(revoked(), seconds(1))).der)
  expect(await found(evidence)).toEqual(['revoked-by-crl'])
})

test('an older CRL does not replace a newer one, also in the next worker', async () => {
  const { evidence, publish } = worker('rollback')
  publish((await nation.crl(revoked())).der)
  expect(await found(evidence)).toEqual(['revoked-by-crl'])
  publish((await nation.crl([], daysLater(-0.5))).der)
  expect(await found(evidence)).toEqual(['revoked-by-crl'])
  expect(await found(worker('rollback').evidence)).toEqual(['revoked-by-crl'])
})

test('a CRL not signed by the centre is ignored, and the last valid one is still used', async () => {
  const { evidence, publish } = worker('forged')
  publish((await nation.crl()).der)
  expect(await found(evidence)).toEqual([])
  publish((await nation.crl(revoked(), signedOn, { ...nation.centreParty, keys: stranger.person.key })).der)
  expect(await found(evidence)).toEqual([])
  publish(document)
  expect(await found(evidence)).toEqual([])
})

test('without a valid CRL a forged one is not used', async () => {
  const { evidence, publish } = worker('alone')
  publish((await nation.crl([], signedOn, { ...nation.centreParty, keys: stranger.person.key })).der)
  expect(await found(evidence)).toEqual(['ocsp-unreachable'])
})
