import { expect, test } from 'vitest'
import { buildModule, moduleNames, readBuilt } from './build.ts'

test.each(moduleNames)('built/%s.ts is up to date with its sources', { timeout: 60_000 }, async (name) => {
  // not toBe: a diff of 60 KB of base64 is no useful message
  expect((await buildModule(name)) === readBuilt(name), 'run node signature/build.ts').toBe(true)
})
