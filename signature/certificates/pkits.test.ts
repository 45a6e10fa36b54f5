/**
 * NIST's suite of certificate paths, each with what must be said of it. Two ways of asking: with the revocation of
 * everyone on the path required, and as the verify command asks, with lists of the leaf's issuer only.
 */
import { describe, expect, test } from 'vitest'
import { MalformedError } from '../asn1/read.ts'
import { checkChainRevocation, type ChainDemand } from '../revocation/chain-revocation.ts'
import { readCrl } from '../revocation/crl.ts'
import { hasSharedVectors, sharedVector, skippedWithout } from '../testing/shared-vectors.ts'
import { readCertificate } from './certificate.ts'
import { findPath } from './path.ts'

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

/** Valid, and refused by us, with the reason. */
const missedByAll: Record<string, string> = {
  // DSA is of no use in the country and in no browser
  valid_dsa_signatures_test4: 'unknown-algorithm',
  valid_dsa_parameter_inheritance_test5: 'unknown-algorithm',
  // names are compared as the bytes they are, not without spaces, case and kind of string
  valid_name_chaining_whitespace_test3: 'no-issuer',
  valid_name_chaining_whitespace_test4: 'no-issuer',
  valid_name_chaining_capitalization_test5: 'no-issuer',
  valid_rollover_from_printablestring_to_utf8string_test10: 'no-issuer',
  valid_utf8string_case_insensitive_match_test11: 'no-issuer',
}

const manners: [
  string,
  { demand: ChainDemand; isRootListAtHand: boolean; missed: Record<string, string> },
][] = [
  [
    'everyone must be known not to be revoked',
    { demand: { leaf: 'required', others: 'required' }, isRootListAtHand: true, missed: missedByAll },
  ],
  [
    'the leaf must be, the others where a list is at hand',
    {
      demand: { leaf: 'required', others: 'if-known' },
      isRootListAtHand: false,
      missed: {
        ...missedByAll,
        // one who does nothing but sign lists, of whom only the list of the root would say that he still may
        valid_separate_certificate_and_crl_keys_test19: 'not-authorised',
        // issued by the root itself, whose list is not there
        valid_unknown_not_critical_certificate_extension_test1: 'no-crl',
      },
    },
  ],
]

describe.skipIf(!hasSharedVectors)(`PKITS${skippedWithout}`, () => {
  const cases = hasSharedVectors ? readCases() : []

  test.each(manners)('%s', async (_, { demand, isRootListAtHand, missed }) => {
    const outcomes = new Map<Case, string>()
    for (const one of cases)
      outcomes.set(one, await outcomeOf(one, demand, isRootListAtHand).catch(malformed))
    const accepted = cases.filter((one) => outcomes.get(one) === 'valid')
    const invalid = cases.filter(({ error }) => error)
    const refusedValid = cases.filter(({ error }) => !error).filter((one) => !accepted.includes(one))

    expect(accepted.filter(({ error }) => error).map(({ name }) => name)).toEqual([])
    expect(invalid).toHaveLength(136)
    expect(Object.fromEntries(refusedValid.map((one) => [one.name, outcomes.get(one)]))).toEqual(missed)
    expect(accepted.length).toBeGreaterThanOrEqual(100)
  })
})

function readCases(): Case[] {
  const cases: Case[] = JSON.parse(new TextDecoder().decode(sharedVector('pkits/pkits.json')))
  return cases
}

/** Some of the invalid ones are so badly made that they are not read at all. */
function malformed(error: unknown): string {
  if (error instanceof MalformedError) return 'malformed'
  throw error
}

async function outcomeOf(one: Case, demand: ChainDemand, isRootListAtHand: boolean): Promise<string> {
  const { params = {} } = one
  const roots = [certificateOf('TrustAnchorRootCertificate.crt')]
  const others = (one.other_certs ?? []).map(certificateOf)
  const result = await findPath(certificateOf(one.cert), {
    roots,
    others,
    at,
    policies: {
      ...(params.user_initial_policy_set && { acceptable: params.user_initial_policy_set }),
      requireExplicit: params.initial_explicit_policy === true,
      inhibitMapping: params.initial_policy_mapping_inhibit === true,
      inhibitAny: params.initial_any_policy_inhibit === true,
    },
  })
  if (!result.ok) return result.problem
  if (one.revocation === false) return 'valid'
  const names = [...(one.crls ?? []), ...(isRootListAtHand ? ['TrustAnchorRootCRL.crl'] : [])]
  const crls = names.map((name) => readCrl(sharedVector(`pkits/crls/${name}`)))
  const revocation = await checkChainRevocation(result.path, crls, demand, { at, others })
  return revocation.ok ? 'valid' : (revocation.status.problem ?? 'revoked')
}

function certificateOf(name: string) {
  return readCertificate(sharedVector(`pkits/certs/${name}`))
}
