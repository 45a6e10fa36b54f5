import { expect, test } from 'vitest'
import { workedMs } from './worked-time.ts'

test.skipIf(process.platform !== 'linux')('the CPU time of a process is measured, not its lifetime', () => {
  const before = workedMs(process.pid)!
  const end = process.cpuUsage().user + 100_000
  while (process.cpuUsage().user < end) Math.sqrt(end)
  const worked = workedMs(process.pid)! - before
  expect(worked).toBeGreaterThanOrEqual(80)
  expect(workedMs(0)).toBeNull()
})
