import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('nothing that verifies imports the signer', () => {
  const files = globSync('signature/**/*.ts').filter(
    (file) => !/node_modules|\.test\.ts$|^signature\/(signer|testing)\//.test(file),
  )
  const importers = files.filter((file) => /from '[^']*\/signer\//.test(readFileSync(file, 'utf8')))
  expect(files.length).toBeGreaterThan(30)
  expect(importers).toEqual([])
})
