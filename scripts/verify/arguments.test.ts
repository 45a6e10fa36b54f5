import { expect, test } from 'vitest'
import { readArguments, UsageError } from './arguments.ts'

const now = new Date('2026-06-01T00:00:00Z')
const given = (line: string) => readArguments(line.split(' ').filter(Boolean), now)

test('a signature with all its options is read', () => {
  const line =
    '--content doc.pdf --roots a.cer b --certs c.cer --crl d.crl e.crl --ocsp f.der --at 2026-01-01T00:00:00Z --no-revocation sig.p7s'
  expect(given(line)).toMatchObject({
    mode: 'signature',
    signature: 'sig.p7s',
    content: 'doc.pdf',
    roots: ['a.cer', 'b'],
    certs: ['c.cer'],
    crl: ['d.crl', 'e.crl'],
    ocsp: ['f.der'],
    at: new Date('2026-01-01T00:00:00Z'),
    isRevocationChecked: false,
    isOnline: false,
  })
})

test('the last value of a list is the signature if no other is given', () => {
  expect(given('--roots a.cer b.cer sig.p7s')).toMatchObject({
    roots: ['a.cer', 'b.cer'],
    signature: 'sig.p7s',
  })
  expect(given('--roots a.cer --crl d.crl sig.p7s')).toMatchObject({ crl: ['d.crl'], signature: 'sig.p7s' })
  expect(given('sig.p7s --roots a.cer')).toMatchObject({ roots: ['a.cer'], signature: 'sig.p7s', at: now })
})

test('options may be repeated', () => {
  expect(given('--roots a --roots b --online sig')).toMatchObject({ roots: ['a', 'b'], isOnline: true })
})

test('a certificate with policy options is read', () => {
  expect(given('--certificate leaf.cer --roots a b --policy 1.2 1.3 --explicit-policy')).toMatchObject({
    mode: 'certificate',
    certificate: 'leaf.cer',
    roots: ['a', 'b'],
    isRevocationChecked: true,
    policies: { acceptable: ['1.2', '1.3'], requireExplicit: true, inhibitAny: false },
  })
})

test('a manifest of test vectors is read', () => {
  expect(given('--manifest dir/manifest.json')).toEqual({ mode: 'manifest', manifest: 'dir/manifest.json' })
})

test('an evidence bundle needs only what is trusted', () => {
  expect(given('--bundle e.zip --roots a b --log-key log.pem --at 2026-01-01T00:00:00Z')).toEqual({
    mode: 'bundle',
    bundle: 'e.zip',
    logKeys: ['log.pem'],
    witnesses: [],
    quorum: undefined,
    roots: ['a', 'b'],
    certs: [],
    at: new Date('2026-01-01T00:00:00Z'),
  })
  expect(given('--bundle e.zip')).toMatchObject({ roots: [], logKeys: [], at: now })
})

test('an evidence record over several files is read, with roots or without', () => {
  expect(
    given('--evidence-record r.er --content a.pdf b.pdf --roots x --at 2026-01-01T00:00:00Z'),
  ).toMatchObject({
    mode: 'record',
    record: 'r.er',
    content: ['a.pdf', 'b.pdf'],
    roots: ['x'],
    at: new Date('2026-01-01T00:00:00Z'),
  })
  expect(given('--content a --content b --evidence-record r.er')).toMatchObject({
    content: ['a', 'b'],
    roots: [],
  })
})

test.each([
  '',
  '--evidence-record r.er --content a --certificate c --roots x',
  'sig --evidence-record r.er --content a',
  'sig.p7s',
  '--roots a.cer',
  '--roots',
  '--roots a --content',
  '--roots a --at yesterday sig',
  '--roots a --at 2026-01-01T00:00:00 sig',
  '--roots a --unknown sig',
  '--content one sig two --roots a',
  '--content one --content two --roots a sig',
  '--certificate leaf --content doc --roots a',
  '--certificate leaf sig --roots a',
  '--manifest m.json --roots a',
  '--bundle e.zip other.zip',
  '--bundle e.zip --crl a.crl',
  '--bundle e.zip --at soon',
  '--log-key log.pem --roots a sig',
])('wrong usage is refused: %s', (line) => {
  expect(() => given(line)).toThrow(UsageError)
})

test('a head of a log is read with the keys of the log and of its witnesses', () => {
  expect(given('--checkpoint head --key a+1+b c --witness w x --quorum 1')).toEqual({
    mode: 'checkpoint',
    checkpoint: 'head',
    keys: ['a+1+b', 'c'],
    witnesses: ['w', 'x'],
    quorum: 1,
    at: now,
  })
  expect(given('--checkpoint head --key a')).toMatchObject({ witnesses: [], quorum: undefined })
  for (const wrong of [
    '--checkpoint head',
    '--checkpoint head --key a --quorum two',
    '--checkpoint head --key a --roots b',
    '--checkpoint head --key a --quorum 1 more',
    '--roots a --key b sig',
    '--roots a --quorum 1 sig',
  ]) {
    expect(() => given(wrong), wrong).toThrow(UsageError)
  }
})
