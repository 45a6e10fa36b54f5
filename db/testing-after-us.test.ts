import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

const bound = { timeout: 50_000, interval: 50 }
const module = JSON.stringify(join(import.meta.dirname, 'testing-after-us.ts'))

/** Says what the code gives it to say, then waits to be killed. */
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

test('a process that was killed still has done what was left to do', async () => {
  const file = join(temporaryFolder(), 'done by')
  await killed(`afterUs('touch "$1"', ${JSON.stringify(file)}); console.log('ready')`)
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), bound)
})

test('whatever it started ends with it, children of children too', async () => {
  const group = await killed(`
    const { pid } = spawn('/bin/sh', ['-c', 'sleep 1000 & sleep 1000'], { detached: true, stdio: 'ignore' })
    endGroupAfterUs(pid)
    console.log(pid)`)
  await vi.waitFor(() => expect(isAlive(Number(group))).toBe(false), bound)
})

test('what was called off is not done', async () => {
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
