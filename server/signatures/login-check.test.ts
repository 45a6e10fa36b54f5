import { expect, test } from 'vitest'
import type { Claimant } from '../workers/turns.ts'
import { loginCheck } from './login-check.ts'

test('the check of a sign-in waits in the turn of its network, not of a person', async () => {
  const claimants: (Claimant | undefined)[] = []
  const check = loginCheck(
    {
      check: async (_, claimant) => {
        claimants.push(claimant)
        return { faults: [], signers: [], digests: [] }
      },
    },
    () => new Date('2026-11-15T05:00:00Z'),
  )
  await check(new Uint8Array(), new Uint8Array(), '91.185.20.7')
  expect(claimants).toEqual([{ network: expect.stringContaining('91.185') as string }])
})
