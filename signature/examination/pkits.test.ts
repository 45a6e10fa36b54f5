/**
 * NIST's suite of certificate paths, each with its expected result. Checked in two ways: with revocation of everyone on
 * the path required, and like the verify command, with CRLs of the leaf's issuer only.
 */
import { describe, expect, test } from 'vitest'
import { readCertificate, type Certificate } from '../certificates/certificate.ts'
import { MalformedError } from '../asn1/read.ts'
import { readCrl, type Crl } from '../revocation/crl.ts'
import { hasSharedVectors, sharedVector, skippedWithout } from '../testing/shared-vectors.ts'
import { examineCertificate } from './examine-certificate.ts'
import { defaultPolicy, evidenceAtHand, type Policy } from './policy.ts'

type Case = {
  name: string
  cert: string
  other_certs?: string[]
  crls?: string[]
  revocation?: false
  error?: object
  params?: {
    user_initial_policy_set?: string[]
    initial_explicit_policy?: true
    initial_policy_mapping_inhibit?: true
    initial_any_policy_inhibit?: true
  }
}

const at = new Date('2012-06-01T00:00:00Z')

/** Valid paths that we refuse, with the reason. */
const missedByAll: Record<string, string> = {
  // DSA is neither used in Kazakhstan nor supported by browsers
  valid_dsa_signatures_test4: 'chain-weak',
  valid_dsa_parameter_inheritance_test5: 'chain-weak',
}

type Manner = {
  issuerRevocation: Policy['issuerRevocation']
  isRootListAtHand: boolean
  missed: Record<string, string>
}

const manners: [string, Manner][] = [
  [
    'everyone must be known not to be revoked',
    { issuerRevocation: 'required', isRootListAtHand: true, missed: missedByAll },
  ],
  [
    'the leaf must be, the others where a list is at hand',
    {
      issuerRevocation: 'if-known',
      isRootListAtHand: false,
      missed: {
        ...missedByAll,
        // the signer is used only for lists, so only the root's CRL would tell its status
        valid_separate_certificate_and_crl_keys_test19: 'crl-untrusted',
        // issued by the root itself, whose CRL is not given
        valid_unknown_not_critical_certificate_extension_test1: 'revocation-unknown',
      },
    },
  ],
]

describe.skipIf(!hasSharedVectors)(`PKITS${skippedWithout}`, () => {
  const cases = hasSharedVectors ? readCases() : []

  test.each(manners)('%s', async (_, manner) => {
    const outcomes = new Map<Case, string>()
    for (const one of cases) outcomes.set(one, await outcomeOf(one, manner))
    const accepted = cases.filter((one) => outcomes.get(one) === 'valid')
    const invalid = cases.filter(({ error }) => error)
    const refusedValid = cases.filter(({ error }) => !error).filter((one) => !accepted.includes(one))

    expect(accepted.filter(({ error }) => error).map(({ name }) => name)).toEqual([])
    expect(invalid).toHaveLength(136)
    expect(Object.fromEntries(refusedValid.map((one) => [one.name, outcomes.get(one)]))).toEqual(
      manner.missed,
    )
    expect(accepted.length).toBeGreaterThanOrEqual(100)
  })
})

function readCases(): Case[] {
  const cases: Case[] = JSON.parse(new TextDecoder().decode(sharedVector('pkits/pkits.json')))
  return cases
}

async function outcomeOf(one: Case, { issuerRevocation, isRootListAtHand }: Manner): Promise<string> {
  const { params = {} } = one
  const names = [...(one.crls ?? []), ...(isRootListAtHand ? ['TrustAnchorRootCRL.crl'] : [])]
  const { findings } = await examineCertificate(
    sharedVector(`pkits/certs/${one.cert}`),
    {
      trust: {
        roots: [readCertificate(sharedVector('pkits/certs/TrustAnchorRootCertificate.crt'))],
        others: (one.other_certs ?? []).flatMap((name) =>
          readable<Certificate>(`certs/${name}`, readCertificate),
        ),
      },
      evidence: evidenceAtHand({
        crls: names.flatMap((name) => readable<Crl>(`crls/${name}`, readCrl)),
        ocsp: [],
      }),
      policy: {
        ...defaultPolicy,
        revocation: one.revocation === false ? 'none' : 'crl',
        issuerRevocation,
        evidenceAge: 'current',
      },
      at,
    },
    {
      ...(params.user_initial_policy_set && { acceptable: params.user_initial_policy_set }),
      requireExplicit: params.initial_explicit_policy === true,
      inhibitMapping: params.initial_policy_mapping_inhibit === true,
      inhibitAny: params.initial_any_policy_inhibit === true,
    },
  )
  return findings.join() || 'valid'
}

/** Some files are so malformed that they cannot be read. */
function readable<T>(path: string, readOne: (der: Uint8Array) => T): T[] {
  try {
    return [readOne(sharedVector(`pkits/${path}`))]
  } catch (error) {
    if (error instanceof MalformedError) return []
    throw error
  }
}
