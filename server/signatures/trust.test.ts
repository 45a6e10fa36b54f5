import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasSharedVectors, sharedVector, sharedVectorsIn } from '@kelisim/signature/testing/shared-vectors.ts'
import { foundNation } from '@kelisim/signature/testing/nation.ts'
import { readTrust, testCentresIn, TrustError } from './trust.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kelisim-trust-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('root and centre certificates are told apart, from folders and from PEM', async () => {
  const nation = await foundNation('gost-kz-2004')
  mkdirSync(join(folder, 'centres'))
  writeFileSync(join(folder, 'root.cer'), nation.root.der)
  const pem = `-----BEGIN CERTIFICATE-----\n${Buffer.from(nation.centre.der).toString('base64')}\n-----END CERTIFICATE-----\n`
  writeFileSync(join(folder, 'centres', 'centre.pem'), pem)
  writeFileSync(join(folder, 'README.txt'), 'not a certificate')
  const { roots, centres } = readTrust(folder)
  expect(roots.map((der) => new Uint8Array(der))).toEqual([nation.root.der])
  expect(centres).toEqual([nation.centre.der])
})

test('a missing or broken certificate is reported', () => {
  expect(() => readTrust(join(folder, 'nowhere'))).toThrow(TrustError)
  expect(() => readTrust(folder)).toThrow('There is no root certificate')
  writeFileSync(join(folder, 'broken.cer'), 'broken')
  expect(() => readTrust(folder)).toThrow('broken.cer is not a certificate')
})

test('certification centres for tests and of the demo are recognised by their names', async () => {
  const real = await foundNation('gost-kz-2004')
  const named = async (name: string) => (await foundNation('p-256', name)).root.der
  const roots = [
    real.root.der,
    await named('НЕГІЗГІ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ (GOST) TEST 2022'),
    await named('НЕГІЗГІ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ TEST _2020(RSA)'),
  ]
  const centres = [real.centre.der, await named('ҰҚО 3.0 (RSA TEST)'), await named('ДЕМО ҰЛТТЫҚ ОРТАЛЫҚ')]
  expect(testCentresIn({ roots, centres })).toHaveLength(4)
  expect(testCentresIn({ roots: [real.root.der], centres: [real.centre.der] })).toEqual([])
})

test.runIf(hasSharedVectors)(
  'of the national centres all those for tests are recognised, and none of the real ones',
  () => {
    const trustOf = (contour: string) => ({
      roots: sharedVectorsIn(`kz/ca/${contour}`)
        .filter((path) => /\/(kuc|nca|root|btsd|ucgo)\w*\.cer$/.test(path))
        .map(sharedVector),
      centres: [],
    })
    expect(testCentresIn(trustOf('prod'))).toEqual([])
    expect(testCentresIn(trustOf('test'))).toHaveLength(10)
  },
)
