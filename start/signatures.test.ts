import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { readConfig } from '@kelisim/server/config.ts'
import { foundNation } from '@kelisim/signature/testing/nation.ts'
import { openSignatures } from './signatures.ts'

test('production does not start with a test certification centre among its roots; the demo does', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'root.cer'), (await foundNation('p-256', 'ОРТАЛЫҚ TEST 2022')).root.der)
  const open = (isDemo: boolean) =>
    openSignatures(
      { ...readConfig({}), trustRootsDir: folder, isDemo },
      () => new Date(),
      pino({ level: 'silent' }),
    )
  expect(() => open(false)).toThrow('TRUST_ROOTS_DIR has centres for tests')
  expect(open(true)).toBeDefined()
})
