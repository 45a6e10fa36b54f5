import { describe, expect, test } from 'vitest'
import { primitive, tags } from '../asn1/read.ts'
import { element, explicit, nothing, sequence } from '../asn1/write.ts'
import { extensionOids } from '../certificates/certificate.ts'
import {
  authority,
  basicConstraints,
  extension,
  keyUsage,
  makeName,
  namedBits,
} from '../signer/extensions.ts'
import { makeCertificate, makeCrl, type CrlParts, type Party } from '../signer/issue.ts'
import { makeKeys } from '../testing/make-keys.ts'
import { revokedByCrl, type CrlOptions, type CrlStatus } from './by-crl.ts'
import { crlOids, readCrl, type Crl } from './crl.ts'

const at = new Date('2026-01-15T00:00:00Z')
const revokedAt = new Date('2026-01-05T00:00:00Z')
const thisUpdate = new Date('2026-01-10T00:00:00Z')
const nextUpdate = new Date('2026-02-10T00:00:00Z')
const earlier = new Date('2026-01-09T00:00:00Z')
const later = new Date('2026-01-11T00:00:00Z')

async function party(commonName: string, seed = commonName): Promise<Party> {
  return { subject: makeName({ commonName }), keys: await makeKeys('gost-kz-2004', seed) }
}

const [rootParty, centreParty, otherParty, stranger, signerParty] = await Promise.all([
  party('Root'),
  party('Centre'),
  party('Other'),
  party('Stranger'),
  party('Centre', 'another key for lists'),
])
const root = await makeCertificate({ ...rootParty, extensions: authority() })
const centre = await makeCertificate({
  ...centreParty,
  issuer: rootParty,
  serial: 2,
  extensions: authority(),
})
const other = await makeCertificate({ ...otherParty, issuer: rootParty, serial: 3, extensions: authority() })
const person = await makeCertificate({ ...stranger, issuer: centreParty, serial: 5 })

/** A current list of the centre, except for the given changes. */
async function list(parts: Partial<CrlParts> = {}): Promise<Crl> {
  return readCrl(
    await makeCrl({ issuer: centreParty, thisUpdate, nextUpdate, entries: [], number: 10, ...parts }),
  )
}

const listed = (reason?: 'certificateHold' | 'removeFromCRL' | 'keyCompromise', when = revokedAt) => ({
  entries: [{ serial: 5, revokedAt: when, ...(reason && { reason }) }],
})

async function ask(crls: Crl[], options: Partial<CrlOptions> = {}, certificate = person): Promise<CrlStatus> {
  return revokedByCrl(certificate, [centre, root], crls, { at, ...options })
}

function statusText({ status, problem, reason }: CrlStatus): string {
  return status === 'unknown' ? problem! : status === 'revoked' ? `revoked: ${reason}` : status
}

const unknownExtension = extension('1.2.3', nothing(), true)
const flag = (number: number) => element(primitive(number), Uint8Array.of(0xff))
const onlySome = (...reasons: number[]) => namedBits(reasons, primitive(3))
const issuingPoint = (...fields: Uint8Array[]) => extension(crlOids.issuingPoint, sequence(...fields), true)
const pointName = (name: Uint8Array) => explicit(0, explicit(0, explicit(4, name)))

describe('a full list', () => {
  test.each<[string, Partial<CrlParts>[], string]>([
    ['none', [], 'no-crl'],
    ['of somebody else', [{ issuer: otherParty }], 'no-crl'],
    ['it is not listed', [{ entries: [{ serial: 6, revokedAt }] }], 'good'],
    ['it is listed', [listed()], 'revoked: unspecified'],
    ['with a reason', [listed('keyCompromise')], 'revoked: keyCompromise'],
    ['on hold is revoked', [listed('certificateHold')], 'revoked: certificateHold'],
    ['the list is old', [{ nextUpdate: new Date('2026-01-14T23:59:59Z') }], 'stale'],
    ['to the last second', [{ nextUpdate: at }], 'good'],
    ['the clock of the centre is ahead', [{ thisUpdate: new Date('2026-01-15T00:05:00Z') }], 'good'],
    ['the list is of tomorrow', [{ thisUpdate: new Date('2026-01-15T00:05:01Z') }], 'not-yet'],
    ['the list does not say how long it lasts', [{ nextUpdate: undefined! }], 'stale'],
    [
      'a stranger’s in the centre’s name',
      [{ issuer: { ...centreParty, keys: stranger.keys } }],
      'not-authorised',
    ],
    [
      'a stranger’s with the centre’s key identifier',
      [{ issuer: { ...centreParty, keys: { ...stranger.keys, keyId: centreParty.keys.keyId } } }],
      'wrong-signature',
    ],
    [
      'the list has an unknown critical extension',
      [{ extensions: [unknownExtension] }],
      'unknown-critical-extension',
    ],
    [
      'an entry of somebody else has one',
      [{ entries: [{ serial: 6, revokedAt, extensions: [unknownExtension] }] }],
      'unknown-critical-extension',
    ],
    [
      'a good one beside a wrong one',
      [
        {},
        {
          issuer: { ...centreParty, keys: { ...stranger.keys, keyId: centreParty.keys.keyId } },
          ...listed(),
        },
      ],
      'good',
    ],
    [
      'the newer of two decides: a hold has ended',
      [{ ...listed('certificateHold'), thisUpdate: earlier }, {}],
      'good',
    ],
    ['the newer of two decides: revoked since', [{ thisUpdate: earlier }, listed()], 'revoked: unspecified'],
  ])('%s', async (_, lists, expected) => {
    expect(statusText(await ask(await Promise.all(lists.map(list))))).toBe(expected)
  })

  test('that a status is based on is named', async () => {
    const crls = [await list({ thisUpdate: earlier }), await list()]
    expect((await ask(crls)).crl).toBe(crls[1])
  })

  test('is not accepted from an authority that may not sign lists', async () => {
    const extensions = [basicConstraints(true), keyUsage('keyCertSign')]
    const issuer = await makeCertificate({ ...centreParty, issuer: rootParty, extensions })
    expect(statusText(await revokedByCrl(person, [issuer, root], [await list()], { at }))).toBe(
      'not-authorised',
    )
  })

  test('shows a certificate as good if it was used before it was revoked', async () => {
    const crls = [await list(listed('keyCompromise'))]
    const before = await ask(crls, { usedAt: new Date('2026-01-04T23:59:59Z') })
    expect(before).toMatchObject({ status: 'good', revokedAt, reason: 'keyCompromise' })
    expect(statusText(await ask(crls, { usedAt: revokedAt }))).toBe('revoked: keyCompromise')
    expect(statusText(await ask([await list(listed(undefined, new Date('2026-01-20T00:00:00Z')))]))).toBe(
      'revoked: unspecified',
    )
  })
})

describe('delta lists', () => {
  const delta = { number: 12, baseNumber: 10, thisUpdate: later }
  test.each<[string, Partial<CrlParts>[], string]>([
    ['alone is no proof', [delta], 'delta-alone'],
    ['alone, yet it names the certificate', [{ ...delta, ...listed() }], 'revoked: unspecified'],
    ['adds', [{}, { ...delta, ...listed() }], 'revoked: unspecified'],
    ['takes back', [listed('certificateHold'), { ...delta, ...listed('removeFromCRL') }], 'good'],
    ['says nothing new', [listed(), delta], 'revoked: unspecified'],
    ['that does not fit adds', [{}, { ...delta, baseNumber: 11, ...listed() }], 'revoked: unspecified'],
    [
      'that does not fit takes nothing back',
      [listed('certificateHold'), { ...delta, baseNumber: 11, ...listed('removeFromCRL') }],
      'revoked: certificateHold',
    ],
    [
      'for other certificates takes nothing back',
      [
        listed('certificateHold'),
        { ...delta, ...listed('removeFromCRL'), extensions: [issuingPoint(flag(1))] },
      ],
      'revoked: certificateHold',
    ],
    [
      'numbered apart, as the national centre does, takes nothing back',
      [
        listed('certificateHold'),
        { number: 3, baseNumber: 7, thisUpdate: later, ...listed('removeFromCRL') },
      ],
      'revoked: certificateHold',
    ],
    ['from before the full list knows nothing', [{}, { ...delta, thisUpdate: earlier, ...listed() }], 'good'],
    ['that is old is not used', [{}, { ...delta, nextUpdate: later, ...listed() }], 'good'],
    ['brings an old full list up to date', [{ nextUpdate: later }, delta], 'good'],
    ['that does not fit does not', [{ nextUpdate: later }, { ...delta, baseNumber: 11 }], 'stale'],
    [
      'of a stranger is nothing',
      [{}, { ...delta, issuer: { ...centreParty, keys: stranger.keys }, ...listed() }],
      'good',
    ],
  ])('%s', async (_, lists, expected) => {
    expect(statusText(await ask(await Promise.all(lists.map(list))))).toBe(expected)
  })
})

describe('lists for some certificates or reasons only', () => {
  const compromised = onlySome(1, 2)
  const otherwise = onlySome(3, 4, 5, 6, 7, 8)
  const where = makeName({ commonName: 'Here' })
  test.each<[string, Uint8Array[], string]>([
    ['for people', [issuingPoint(flag(1))], 'good'],
    ['for authorities', [issuingPoint(flag(2))], 'out-of-scope'],
    ['for attributes', [issuingPoint(flag(5))], 'out-of-scope'],
    ['for some reasons', [issuingPoint(compromised)], 'reasons-incomplete'],
    ['for some reasons, and for the others', [issuingPoint(compromised), issuingPoint(otherwise)], 'good'],
    ['given out elsewhere', [issuingPoint(pointName(where))], 'out-of-scope'],
    ['given out under the issuer’s name', [issuingPoint(pointName(centreParty.subject))], 'good'],
    ['indirect', [issuingPoint(flag(4))], 'good'],
  ])('%s', async (_, points, expected) => {
    const crls = await Promise.all(points.map((point) => list({ extensions: [point] })))
    expect(statusText(await ask(crls))).toBe(expected)
  })

  test('a certificate on a list for some reasons is revoked, even if other reasons are not known', async () => {
    const crls = [await list({ ...listed('keyCompromise'), extensions: [issuingPoint(compromised)] })]
    expect(statusText(await ask(crls))).toBe('revoked: keyCompromise')
  })

  test('a list is used only if the certificate names its place and its issuer', async () => {
    const point = (...fields: Uint8Array[]) => [
      extension(extensionOids.crlDistributionPoints, sequence(sequence(...fields))),
    ]
    const make = (extensions: Uint8Array[]) =>
      makeCertificate({ ...stranger, issuer: centreParty, serial: 5, extensions })
    const here = await make(point(pointName(where)))
    expect(
      statusText(await ask([await list({ extensions: [issuingPoint(pointName(where))] })], {}, here)),
    ).toBe('good')

    const byOther = await make(point(element(0xa2, explicit(4, otherParty.subject))))
    const indirect = { issuer: otherParty, extensions: [issuingPoint(flag(4))] }
    expect(statusText(await ask([await list(indirect)], { others: [other] }, byOther))).toBe('good')
    expect(statusText(await ask([await list(indirect)], {}, byOther))).toBe('not-authorised')
    expect(statusText(await ask([await list({ issuer: otherParty })], { others: [other] }, byOther))).toBe(
      'out-of-scope',
    )
    expect(statusText(await ask([await list(indirect)], { others: [other] }, person))).toBe('no-crl')
    // entries without an issuer belong to the list's own
    expect(
      statusText(await ask([await list({ ...indirect, ...listed() })], { others: [other] }, byOther)),
    ).toBe('good')
    const named = extension('2.5.29.29', sequence(explicit(4, centreParty.subject)), true)
    const entries = [{ serial: 5, revokedAt, extensions: [named] }]
    expect(statusText(await ask([await list({ ...indirect, entries })], { others: [other] }, byOther))).toBe(
      'revoked: unspecified',
    )

    const itself = extension('2.5.29.29', sequence(explicit(4, rootParty.subject)), true)
    const confession = await list({ ...indirect, entries: [{ serial: 3, revokedAt, extensions: [itself] }] })
    expect(statusText(await ask([confession], { others: [other] }, byOther))).toBe('not-authorised')

    const broken = await make([extension(extensionOids.crlDistributionPoints, element(tags.null))])
    expect(statusText(await ask([await list()], {}, broken))).toBe('malformed-extension')
  })
})

describe('a key of its own for lists', () => {
  const make = (issuer: Party) =>
    makeCertificate({ ...signerParty, issuer, serial: 9, extensions: [keyUsage('cRLSign')] })

  test('must be certified and known not to be revoked', async () => {
    const others = [await make(rootParty)]
    const own = await list({ issuer: signerParty })
    const ofRoot = (entries: CrlParts['entries']) => list({ issuer: rootParty, entries })
    expect(statusText(await ask([own]))).toBe('not-authorised')
    expect(statusText(await ask([own], { others }))).toBe('not-authorised')
    expect(statusText(await ask([own, await ofRoot([])], { others }))).toBe('good')
    expect(statusText(await ask([own, await ofRoot([{ serial: 9, revokedAt }])], { others }))).toBe(
      'not-authorised',
    )
  })

  test('must be certified by the right issuer, not by anybody below the root', async () => {
    const others = [other, await make(otherParty)]
    const crls = [
      await list({ issuer: signerParty }),
      await list({ issuer: otherParty }),
      await list({ issuer: rootParty }),
    ]
    expect(statusText(await ask(crls, { others }))).toBe('not-authorised')
  })

  test('cannot vouch for itself', async () => {
    const others = [await make(centreParty)]
    const own = await list({ issuer: signerParty })
    expect(statusText(await ask([own], { others }))).toBe('not-authorised')
    expect(statusText(await ask([own, readCrl(own.der.slice())], { others }))).toBe('not-authorised')
    expect(statusText(await ask([own, await list()], { others }))).toBe('good')
  })
})
