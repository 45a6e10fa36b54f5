import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

/** A process with our log whose input tells it what to do. */
const program = `
  import { openLog } from './start/log.ts'
  import { explainCrashes } from './start/shutdown.ts'
  const log = openLog('info')
  explainCrashes(log, () => undefined)
  process.stdin.on('data', (what) => {
    // The first is being written, so the others wait.
    for (let i = 0; i < 3; i++) log.warn('line')
    if (String(what) === 'crash') throw new Error('crashed')
    process.exit(0)
  })
  log.info('ready')`

function start() {
  return spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    cwd: new URL('..', import.meta.url),
    stdio: 'pipe',
  })
}

test('the error by which a process ends is in the log', async () => {
  const child = start()
  await once(child.stdout, 'data')
  const read: Buffer[] = []
  child.stdout.on('data', (data: Buffer) => read.push(data))
  child.stdin.write('crash')
  await once(child, 'close')
  // The line that was being written may arrive after the one about the crash.
  const lines = String(Buffer.concat(read)).split('\n').filter(Boolean)
  expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
    expect.objectContaining({
      msg: 'stopped by an error',
      err: expect.objectContaining({ message: 'crashed' }) as unknown,
    }),
  )
})

test.each([
  ['end', 0],
  ['crash', 1],
])('%s: a process ends even if nobody reads its log any more', async (what, code) => {
  const child = start()
  await once(child.stdout, 'data')
  child.stdout.destroy()
  child.stderr.destroy()
  child.stdin.write(what)
  expect(await once(child, 'exit')).toEqual([code, null])
})
