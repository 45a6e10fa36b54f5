import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { foundNation } from '@kelisim/signature/testing/nation.ts'
import { readTrust, TrustError } from './trust.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kelisim-trust-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('roots and those below them are told apart, in folders and out of PEM', async () => {
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

test('what is wrong is said', () => {
  expect(() => readTrust(join(folder, 'nowhere'))).toThrow(TrustError)
  expect(() => readTrust(folder)).toThrow('There is no root certificate')
  writeFileSync(join(folder, 'broken.cer'), 'broken')
  expect(() => readTrust(folder)).toThrow('broken.cer is not a certificate')
})
