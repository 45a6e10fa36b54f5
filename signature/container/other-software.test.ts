/**
 * Signatures made by Bouncy Castle and the JDK (fixtures/java, where MakeVectors.java says how). What the makers
 * accept is accepted here, except for what is refused on purpose: the reasons are in signature/README.md.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readCertificate } from '../certificates/certificate.ts'
import { defaultPolicy, evidenceAtHand, type Setting } from '../examination/policy.ts'
import { examineFiles } from './examine-files.ts'

const folder = join(import.meta.dirname, '../fixtures/java')
const fixture = (name: string) => new Uint8Array(readFileSync(join(folder, name)))
const accepted = JSON.parse(readFileSync(join(folder, 'accepted.json'), 'utf8')) as Record<string, boolean[]>
const setting: Setting = {
  trust: { roots: [readCertificate(fixture('root.cer'))], others: [] },
  evidence: evidenceAtHand({ crls: [], ocsp: [] }),
  policy: { ...defaultPolicy, revocation: 'none' },
  at: new Date('2026-12-01T00:00:00Z'),
}

const contract = fixture('contract.txt')

async function signersOf(name: string, bytes = fixture(name), document = contract) {
  const isDetached =
    name.startsWith('cms/') && name !== 'cms/pss-attached.p7s' && name !== 'cms/streamed-ber.p7s'
  const files = [{ name, blob: new Blob([bytes]) }]
  if (isDetached) files.push({ name: 'contract.txt', blob: new Blob([document]) })
  const groups = await examineFiles(files, { setting })
  return groups
    .flatMap(({ signatures }) => signatures)
    .flatMap(({ examination: { findings, signers } }) =>
      signers.map((signer) => ({
        name: signer.owner?.commonName,
        algorithm: signer.algorithm,
        provedAt: signer.timestampTime,
        findings: [...findings, ...signer.findings],
      })),
    )
}

/** Signatures that the other software accepts and we refuse. */
const refusedHere: Record<string, string[]> = {
  'cms/cades-t-without-its-certificate.p7s': ['timestamp-untrusted'],
  'cms/no-attributes.p7s': ['attributes-missing'],
  'cms/sha-1.p7s': ['weak-algorithm'],
  'cms/ed25519.p7s': ['unknown-algorithm', 'chain-weak'],
}

test.each(Object.entries(accepted))(
  '%s is judged as by the software that made it, or refused for a known reason',
  async (name, theirs) => {
    const ours = await signersOf(name)
    const reasons = refusedHere[name]
    if (reasons) expect(ours.map(({ findings }) => [...new Set(findings)])).toEqual([reasons])
    else expect(ours.map(({ findings }) => findings.length === 0)).toEqual(theirs)
  },
)

describe('Bouncy Castle', () => {
  test('names, algorithms and the time of its timestamp are read', async () => {
    const found = [...(await signersOf('cms/three-signers.p7s')), ...(await signersOf('cms/cades-t.p7s'))]
    expect(found.map(({ name, algorithm }) => `${name}: ${algorithm}`).toSorted()).toEqual([
      'CURVE SIGNER: ECDSA P-384 SHA-384',
      'CURVE SIGNER: ECDSA P-384 SHA-384',
      'PSS SIGNER: RSA-PSS 2048 SHA-256',
      'RSA SIGNER: RSA 2048 SHA-256',
    ])
    expect(found.at(-1)!.provedAt).toEqual(new Date('2026-06-01T10:00:00Z'))
  })

  test.each(Object.keys(accepted).filter((name) => name.startsWith('cms/')))(
    '%s is not valid with another document or cut short',
    async (name) => {
      const whole = fixture(name)
      const changed = Uint8Array.from(whole)
      const at = Buffer.from(whole).indexOf('7\n')
      // An attached document is changed inside the message itself.
      if (at >= 0) changed[at] = 0x38
      const other = new TextEncoder().encode('Договор поставки № 8\n')
      const otherwise = await signersOf(name, changed, other)
      expect(otherwise).not.toEqual([])
      const short = await signersOf(name, whole.subarray(0, -20))
      expect([...otherwise, ...short].filter(({ findings }) => findings.length === 0)).toEqual([])
    },
  )

  test.each([
    ['pdf/signed.pdf', ['RSA SIGNER']],
    ['pdf/cades.pdf', ['CURVE SIGNER']],
    ['pdf/twice.pdf', ['RSA SIGNER', 'CURVE SIGNER']],
  ])('signatures inside %s are valid, and not after a change', async (name, people) => {
    const found = await signersOf(name)
    expect(found.map((one) => [one.name, one.findings])).toEqual(people.map((person) => [person, []]))
    const text = Buffer.from(fixture(name)).toString('latin1').replace('100 tonnes', '900 tonnes')
    const changed = await signersOf(name, Uint8Array.from(Buffer.from(text, 'latin1')))
    expect(changed.map(({ findings }) => findings)).toEqual(people.map(() => ['other-document']))
  })
})

describe('the XML signatures of the JDK', () => {
  test('over the body of a message, by a key in its BinarySecurityToken, is valid', async () => {
    expect(await signersOf('xml/ws-security.xml')).toMatchObject([{ name: 'RSA SIGNER', findings: [] }])
  })

  test.each(['xml/ws-security.xml', 'xml/enveloped.xml'])(
    '%s with another sum is not valid',
    async (name) => {
      const text = Buffer.from(fixture(name)).toString().replace('>100<', '>900<')
      const [changed] = await signersOf(name, new TextEncoder().encode(text))
      expect(changed!.findings).toEqual(['other-document'])
    },
  )

  test('a second signature over the whole document changes what the first one covers', async () => {
    const found = await signersOf('xml/enveloped-twice.xml')
    expect(found.map(({ name, findings }) => [name, findings])).toEqual([
      ['RSA SIGNER', ['other-document']],
      ['SECOND SIGNER', []],
    ])
  })
})
