import { expect, test } from 'vitest'
import type { Claimant } from '../workers/turns.ts'
import { loginCheck } from './login-check.ts'

test('whoever signs in waits with others of their network, and never before people who are signed in', async () => {
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
