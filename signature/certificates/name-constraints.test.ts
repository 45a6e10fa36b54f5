import { describe, expect, test } from 'vitest'
import { MalformedError, primitive } from '../asn1/read.ts'
import {
  element,
  explicit,
  integer,
  oid,
  printableString,
  sequence,
  setOf,
  utf8String,
} from '../asn1/write.ts'
import { extension, makeName } from '../signer/extensions.ts'
import { makeCertificate } from '../signer/issue.ts'
import { makeKeys } from '../testing/make-keys.ts'
import { extensionOids } from './certificate.ts'
import { checkNames, readNameConstraints, type NamesResult } from './name-constraints.ts'
import { nameOids } from './names.ts'

const keys = await makeKeys('gost-kz-2004', 'person')

const text = (number: number) => (value: string) =>
  element(primitive(number), new TextEncoder().encode(value))
const [email, dns, uri] = [text(1), text(2), text(6)]
const ip = (...bytes: number[]) => element(primitive(7), Uint8Array.from(bytes))
const directory = (name: Uint8Array) => explicit(4, name)
const other = (value: string) => element(0xa0, oid('1.2.3'), explicit(0, utf8String(value)))

type Constraints = { permitted?: Uint8Array[]; excluded?: Uint8Array[] }

function constraintsOf({ permitted, excluded }: Constraints): Uint8Array {
  const subtrees = (number: number, bases: Uint8Array[] | undefined) =>
    bases ? [explicit(number, ...bases.map((base) => sequence(base)))] : []
  return sequence(...subtrees(0, permitted), ...subtrees(1, excluded))
}

async function outcomeOf(names: Uint8Array[], constraints: Constraints, subject: Uint8Array = makeName({})) {
  const extensions = names.length > 0 ? [extension(extensionOids.subjectAltName, sequence(...names))] : []
  const certificate = await makeCertificate({ subject, keys, extensions })
  return checkNames(certificate, [readNameConstraints(constraintsOf(constraints))])
}

describe('constraints on names beside the subject', () => {
  test.each<[string, Uint8Array, Constraints, NamesResult]>([
    ['a mailbox', email('a@gov.kz'), { permitted: [email('a@gov.kz')] }, 'allowed'],
    ['another mailbox', email('b@gov.kz'), { permitted: [email('a@gov.kz')] }, 'refused'],
    ['all of a host', email('b@gov.kz'), { permitted: [email('gov.kz')] }, 'allowed'],
    ['a host below it is another', email('b@x.gov.kz'), { permitted: [email('gov.kz')] }, 'refused'],
    ['hosts of a domain', email('b@x.gov.kz'), { permitted: [email('.gov.kz')] }, 'allowed'],
    ['not the domain itself', email('b@gov.kz'), { permitted: [email('.gov.kz')] }, 'refused'],
    ['hosts know no case', email('b@GOV.kz'), { permitted: [email('gov.kz')] }, 'allowed'],
    ['mailboxes may know it', email('A@gov.kz'), { permitted: [email('a@gov.kz')] }, 'refused'],
    ['which leads around nothing', email('A@gov.kz'), { excluded: [email('a@gov.kz')] }, 'refused'],
    ['no mailbox at all', email('gov.kz'), { excluded: [email('x.kz')] }, 'refused'],
    ['a host', dns('a.kz'), { permitted: [dns('a.kz')] }, 'allowed'],
    ['a host below', dns('b.a.kz'), { permitted: [dns('a.kz')] }, 'allowed'],
    ['one that ends alike', dns('ba.kz'), { permitted: [dns('a.kz')] }, 'refused'],
    ['excluded below', dns('b.A.kz'), { excluded: [dns('a.kz')] }, 'refused'],
    ['excluded with a dot at the end', dns('a.kz.'), { excluded: [dns('a.kz')] }, 'refused'],
    ['a mailbox with one', email('a@gov.kz.'), { excluded: [email('a@gov.kz')] }, 'refused'],
    ['everything', dns('a.kz'), { excluded: [dns('')] }, 'refused'],
    ['an address of a page', uri('http://u@a.kz:80/x?y'), { permitted: [uri('a.kz')] }, 'allowed'],
    ['of a host below', uri('http://b.a.kz/'), { permitted: [uri('a.kz')] }, 'refused'],
    ['of a domain', uri('https://b.a.kz'), { permitted: [uri('.a.kz')] }, 'allowed'],
    ['with a decoy', uri('https://evil.kz/a.kz'), { permitted: [uri('a.kz')] }, 'refused'],
    ['with another decoy', uri('https://a.kz@evil.kz/'), { permitted: [uri('a.kz')] }, 'refused'],
    ['without a host', uri('urn:a.kz'), { excluded: [uri('x.kz')] }, 'refused'],
    ['with a number for a host', uri('http://10.0.0.1/'), { excluded: [uri('x.kz')] }, 'refused'],
    ['a network', ip(10, 1, 2, 3), { permitted: [ip(10, 1, 0, 0, 255, 255, 0, 0)] }, 'allowed'],
    ['another network', ip(10, 2, 2, 3), { permitted: [ip(10, 1, 0, 0, 255, 255, 0, 0)] }, 'refused'],
    [
      'an address of the other kind',
      ip(...Array(16).fill(0)),
      { permitted: [ip(10, 1, 0, 0, 255, 255, 0, 0)] },
      'refused',
    ],
    ['a form nobody knows, constrained', other('x'), { excluded: [other('y')] }, 'refused'],
    ['a form nobody knows, free', other('x'), { excluded: [dns('y')] }, 'allowed'],
    ['another form', dns('a.kz'), { permitted: [email('b.kz')] }, 'allowed'],
    [
      'permitted and excluded',
      dns('b.a.kz'),
      { permitted: [dns('a.kz')], excluded: [dns('b.a.kz')] },
      'refused',
    ],
  ])('%s', async (_, name, constraints, expected) => {
    expect(await outcomeOf([name], constraints)).toBe(expected)
  })
})

describe('constraints on the subject', () => {
  const base = makeName({ country: 'KZ', organization: 'Centre' })
  const below = makeName({ country: 'KZ', organization: 'Centre', commonName: 'Person' })
  const printed = sequence(
    setOf([sequence(oid(nameOids.country), printableString('kz'))]),
    setOf([sequence(oid(nameOids.organization), printableString('CENTRE '))]),
  )

  /** UniversalString, which the parser does not support. */
  const universal = sequence(
    setOf([sequence(oid(nameOids.country), element(0x1c, Uint8Array.of(0, 0, 0, 75, 0, 0, 0, 90)))]),
  )

  test.each<[string, Uint8Array, Constraints, NamesResult]>([
    ['in letters that cannot be read', universal, { excluded: [directory(base)] }, 'allowed'],
    [
      'which might be the excluded ones',
      universal,
      { excluded: [directory(makeName({ country: 'KZ' }))] },
      'refused',
    ],
    ['below', below, { permitted: [directory(base)] }, 'allowed'],
    ['the base itself', base, { permitted: [directory(base)] }, 'allowed'],
    [
      'beside',
      makeName({ country: 'KZ', organization: 'Other' }),
      { permitted: [directory(base)] },
      'refused',
    ],
    ['above', makeName({ country: 'KZ' }), { permitted: [directory(base)] }, 'refused'],
    ['excluded below', below, { excluded: [directory(base)] }, 'refused'],
    [
      'excluded, in other letters and another kind of string',
      printed,
      { excluded: [directory(base)] },
      'refused',
    ],
    ['permitted only as it is written', printed, { permitted: [directory(base)] }, 'refused'],
    ['an e-mail address in it', makeName({ email: 'a@x.kz' }), { excluded: [email('x.kz')] }, 'refused'],
    ['none at all', makeName({}), { permitted: [directory(base)] }, 'allowed'],
  ])('%s', async (_, subject, constraints, expected) => {
    expect(await outcomeOf([], constraints, subject)).toBe(expected)
  })
})

test('many names under many constraints are refused as too complex', async () => {
  const many = Array.from({ length: 1000 }, (_, i) => dns(`h${i}.kz`))
  expect(await outcomeOf(many, { permitted: many })).toBe('too-complex')
})

test.each<[string, Uint8Array]>([
  ['of nothing', sequence()],
  ['of no subtrees', sequence(explicit(0))],
  [
    'that start below their base',
    sequence(explicit(0, sequence(dns('a.kz'), element(primitive(0), Uint8Array.of(1))))),
  ],
  ['with an end', sequence(explicit(0, sequence(dns('a.kz'), element(primitive(1), Uint8Array.of(1)))))],
  ['not in ASCII', sequence(explicit(0, sequence(dns('а.kz'))))],
  ['that are a number', integer(1)],
])('constraints %s are refused as malformed', (_, value) => {
  expect(() => readNameConstraints(value)).toThrow(MalformedError)
})
