import { describe, expect, test } from 'vitest'
import { primitive } from '../asn1/read.ts'
import { element, integer, oid, sequence } from '../asn1/write.ts'
import { authority, certificatePolicies, extension, makeName } from '../signer/extensions.ts'
import { makeCertificate, type Party } from '../signer/issue.ts'
import { makeKeys } from '../testing/make-keys.ts'
import { extensionOids } from './certificate.ts'
import { findPath } from './path.ts'
import { anyPolicy, type PolicyDemands } from './policies.ts'

const at = new Date('2026-01-01T00:00:00Z')
const policy = (number: number) => `1.2.398.99.${number}`

const stated = (...numbers: (number | 'any')[]) =>
  certificatePolicies(numbers.map((number) => ({ oid: number === 'any' ? anyPolicy : policy(number) })))
const mapped = (...pairs: [string, string][]) =>
  extension(
    extensionOids.policyMappings,
    sequence(...pairs.map(([from, to]) => sequence(oid(from), oid(to)))),
    true,
  )
const constrained = (explicitIn: number | null, mappingsFor: number | null = null) =>
  extension(
    extensionOids.policyConstraints,
    sequence(
      ...(explicitIn === null ? [] : [element(primitive(0), Uint8Array.of(explicitIn))]),
      ...(mappingsFor === null ? [] : [element(primitive(1), Uint8Array.of(mappingsFor))]),
    ),
    true,
  )
const anyInhibited = (after: number) => extension(extensionOids.inhibitAnyPolicy, integer(after), true)

const parties: Party[] = []
for (let i = 0; i < 10; i++) {
  parties.push({ subject: makeName({ commonName: `${i}` }), keys: await makeKeys('gost-kz-2004', `${i}`) })
}

/** A path below the root, each certificate with the given extensions; the last is the leaf. */
async function ask(levels: Uint8Array[][], policies: PolicyDemands = {}) {
  const root = await makeCertificate({ ...parties[0]!, extensions: authority() })
  const below = await Promise.all(
    levels.map((extensions, i) =>
      makeCertificate({
        ...parties[i + 1]!,
        issuer: parties[i]!,
        extensions: i === levels.length - 1 ? extensions : [...authority(), ...extensions],
      }),
    ),
  )
  const result = await findPath(below.at(-1)!, { roots: [root], others: below.slice(0, -1), at, policies })
  return result.ok ? result.policies : result.problem
}

describe('policies', () => {
  const explicit = { requireExplicit: true }
  test.each<[string, Uint8Array[][], PolicyDemands, readonly string[] | string]>([
    ['none stated, none demanded', [[], []], {}, []],
    ['none stated, one demanded', [[], []], explicit, 'policy'],
    ['the same all the way', [[stated(1)], [stated(1)]], explicit, [policy(1)]],
    ['different ones', [[stated(1)], [stated(2)]], explicit, 'policy'],
    ['different ones, none demanded', [[stated(1)], [stated(2)]], {}, []],
    ['any above', [[stated('any')], [stated(1)]], explicit, [policy(1)]],
    ['any below', [[stated(1)], [stated('any')]], explicit, [policy(1)]],
    ['any all the way', [[stated('any')], [stated('any')]], explicit, [anyPolicy]],
    [
      'any, where one is acceptable',
      [[stated('any')], [stated('any')]],
      { ...explicit, acceptable: [policy(7)] },
      [policy(7)],
    ],
    ['any is acceptable', [[stated(1)], [stated(1)]], { ...explicit, acceptable: [anyPolicy] }, [policy(1)]],
    [
      'not the acceptable one',
      [[stated(1)], [stated(1)]],
      { ...explicit, acceptable: [policy(2)] },
      'policy',
    ],
    [
      'any is inhibited from the start',
      [[stated('any')], [stated(1)]],
      { ...explicit, inhibitAny: true },
      'policy',
    ],
    ['any is inhibited below', [[stated(1), anyInhibited(0)], [stated('any')]], explicit, 'policy'],
    [
      'any is inhibited later',
      [[stated(1), anyInhibited(1)], [stated('any')], [stated(1)]],
      explicit,
      [policy(1)],
    ],
    ['mapped', [[stated(1), mapped([policy(1), policy(2)])], [stated(2)]], explicit, [policy(1)]],
    [
      'the old one after mapping',
      [[stated(1), mapped([policy(1), policy(2)])], [stated(1)]],
      explicit,
      'policy',
    ],
    [
      'mapped, in the words of the root',
      [[stated(1), mapped([policy(1), policy(2)])], [stated(2)]],
      { ...explicit, acceptable: [policy(2)] },
      'policy',
    ],
    [
      'mapping is inhibited',
      [[stated(1), mapped([policy(1), policy(2)])], [stated(2)]],
      { ...explicit, inhibitMapping: true },
      'policy',
    ],
    [
      'mapped from any',
      [[stated('any'), mapped([policy(1), policy(2)])], [stated(2)]],
      explicit,
      [policy(1)],
    ],
    ['any cannot be mapped', [[stated('any'), mapped([anyPolicy, policy(2)])], [stated(2)]], {}, 'policy'],
    [
      'nothing can be mapped to any',
      [[stated(1), mapped([policy(1), anyPolicy])], [stated(1)]],
      {},
      'policy',
    ],
    ['an authority demands one at once', [[constrained(0)], []], {}, 'policy'],
    ['an authority demands one too late to matter', [[constrained(3)], []], {}, []],
    ['the leaf demands one of its own', [[], [constrained(0)]], {}, 'policy'],
    ['stated twice', [[stated(1, 1)], [stated(1)]], {}, 'malformed-extension'],
  ])('%s', async (_, levels, demands, expected) => {
    expect(await ask(levels, demands)).toEqual(expected)
  })

  test('a tree of policies that would grow exponentially stays a graph', async () => {
    // thirty policies, each mapped to all: as a tree, thirty times more nodes at every level
    const wide = Array.from({ length: 30 }, (_, i) => i + 1)
    const pairs = wide.flatMap((from) => wide.map((to): [string, string] => [policy(from), policy(to)]))
    const level = [stated(...wide), mapped(...pairs)]
    const answer = await ask([level, level, level, level, level, level, level, [stated(...wide)]], {
      requireExplicit: true,
    })
    expect(answer).toHaveLength(30)
  })
})
