import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('after thirty simulated years exactly the renewed documents pass', () => {
  const script = join(import.meta.dirname, 'simulate.ts')
  const { status, stdout } = spawnSync(process.execPath, [script, '20'], { encoding: 'utf8' })
  expect(JSON.parse(stdout)).toMatchObject({ years: 30, documents: 20, renewed: 20, notRenewed: 0 })
  expect(status).toBe(0)
}, 600_000)
