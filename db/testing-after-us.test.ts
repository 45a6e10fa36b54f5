import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

const bound = { timeout: 50_000, interval: 50 }
const module = JSON.stringify(join(import.meta.dirname, 'testing-after-us.ts'))

/** Runs the code in a child process, returns the first text that it prints, and kills the process. */
async function killed(code: string): Promise<string> {
  const script = `
    import { spawn } from 'node:child_process'
    import { afterUs, endGroupAfterUs } from ${module}
    ${code}
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  child.kill('SIGKILL')
  await once(child, 'exit')
  return said.toString().trim()
}

function isAlive(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}

test('commands registered for the end run even if the process was killed', async () => {
  const file = join(temporaryFolder(), 'done by')
  await killed(`afterUs('touch "$1"', ${JSON.stringify(file)}); console.log('ready')`)
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), bound)
})

test('all child processes end with a killed process, also grandchildren', async () => {
  const group = await killed(`
    const { pid } = spawn('/bin/sh', ['-c', 'sleep 1000 & sleep 1000'], { detached: true, stdio: 'ignore' })
    endGroupAfterUs(pid)
    console.log(pid)`)
  await vi.waitFor(() => expect(isAlive(Number(group))).toBe(false), bound)
})

test('a cancelled command is not run', async () => {
  const folder = temporaryFolder()
  const [off, on] = [join(folder, 'off'), join(folder, 'on')]
  await killed(`
    const callOff = afterUs('touch "$1"', ${JSON.stringify(off)})
    callOff()
    afterUs('touch "$1"', ${JSON.stringify(on)})
    console.log('ready')`)
  await vi.waitFor(() => expect(existsSync(on)).toBe(true), bound)
  expect(existsSync(off)).toBe(false)
})
