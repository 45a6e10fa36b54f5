/** For tests: the service with a small certification centre, people with keys, and the real signature engine. */
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import { evidenceAtHand, defaultPolicy, type Evidence } from '@kelisim/signature/examination/policy.ts'
import { makeName } from '@kelisim/signature/signer/extensions.ts'
import { signDetached, type CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { foundNation } from '@kelisim/signature/testing/nation.ts'
import { day } from '@kelisim/signature/time/durations.ts'
import type { CheckSignature } from './http/signature-check.ts'
import { startSignIn, type Browser } from './testing.ts'

export async function signatureScene() {
  const nation = await foundNation('gost-kz-512')
  const stranger = await foundNation('gost-kz-512', 'Stranger')
  const now = Date.now()
  const valid = { notBefore: new Date(now - day), notAfter: new Date(now + day) }

  /** The evidence that all checks use; tests change it. */
  const evidence: Evidence & { crls: Awaited<ReturnType<typeof nation.crl>>[] } = { crls: [], ocsp: [] }
  /** Runs before each check of a signature; tests replace it. */
  const checking = { before: async () => {} }

  const checkSignature: CheckSignature = async (cms, content) => {
    await checking.before()
    const policy = { ...defaultPolicy, revocation: 'none', timestamp: 'ignore' } as const
    const setting = { trust: nation.trust, evidence: evidenceAtHand(evidence), policy, at: new Date() }
    const { findings, signers } = await examineSignature(cms, [content], setting)
    return {
      faults: findings,
      signers: signers.map((signer) => ({
        faults: signer.findings,
        owner: signer.owner,
        certificate: signer.certificate?.der ?? null,
      })),
    }
  }

  const service = await startSignIn({ checkSignature })

  let people = 0
  /** A person with a key and an IIN of their own. */
  async function citizen(
    { bin, ...parts }: { bin?: string } & Parameters<typeof nation.issue>[1] = {},
    place = nation,
  ): Promise<CmsSigner & { iin: string }> {
    const iin = `9001013${String(++people).padStart(5, '0')}`
    const subject = makeName({
      commonName: 'СЕРІКОВА АЙГЕРІМ',
      surname: 'СЕРІКОВА',
      serialNumber: `IIN${iin}`,
      country: 'KZ',
      ...(bin !== undefined && { organization: 'ТОО «Алтын Дала»', organizationalUnit: `BIN${bin}` }),
      givenName: 'НҰРЛАНҚЫЗЫ',
    })
    return { ...(await place.issue(`Citizen ${iin}`, { subject, ...valid, ...parts })), iin }
  }

  async function begun(person: Browser = service.browser(), wishes: Record<string, string> = {}) {
    const { url, finish } = await service.application.begin({ scope: 'openid profile email kz', ...wishes })
    const page = await person.open(url)
    return { person, page, finish, at: page.url.pathname }
  }

  return {
    service,
    nation,
    stranger,
    evidence,
    checking,
    citizen,
    begun,
    base64: (bytes: Uint8Array) => Buffer.from(bytes).toString('base64'),
    signedBy: (signer: CmsSigner, content: Uint8Array) =>
      signDetached(content, signer, { signingTime: new Date() }),
  }
}
