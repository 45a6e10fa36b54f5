/** `npm run check`: types, lint and format of everything, at once; each check prints its output when it has ended. */
import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { checkEnvironment, checks } from './checks.ts'

const areGood = await Promise.all(checks.map(([name, program, ...args]) => isGood(name, program, args)))
process.exit(areGood.every(Boolean) ? 0 : 1)

async function isGood(name: string, program: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...checkEnvironment },
  })
  const ended = new Promise<number | null>((done) => child.once('close', done))
  const output = await Promise.all([buffer(child.stdout), buffer(child.stderr)])
  const isPassed = (await ended) === 0
  if (!isPassed) console.error(output.join('').trimEnd())
  console.log(`${isPassed ? '✓' : '✗'} ${name}`)
  return isPassed
}
