/** For tests: a worker that does what its job says. */
import { readdirSync, writeFileSync } from 'node:fs'
import { serveJobs } from './child.ts'

export type TestJob =
  | { say: string }
  | { ask: string }
  | { hang: true }
  | { throw: string; code?: string }
  | { exit: true }
  /** Fills the heap of JavaScript. */
  | { eat: true }
  /** Takes buffers, which are not in the heap. */
  | { inflate: number }
  | { surroundings: true }

serveJobs((setup: string, ask) => async (job: TestJob) => {
  if ('hang' in job) for (;;);
  if ('exit' in job) process.exit(1)
  if ('throw' in job) throw Object.assign(new Error(job.throw), { code: job.code })
  if ('ask' in job) return ask(job.ask).catch(String)
  if ('eat' in job) {
    const all: number[][] = []
    for (;;) all.push(Array.from({ length: 100_000 }, () => Math.random()))
  }
  if ('inflate' in job) {
    const all: Uint8Array[] = []
    for (let i = 0; i < job.inflate; i++) all.push(new Uint8Array(1024 * 1024).fill(1))
    return String(all.length)
  }
  if ('surroundings' in job) {
    writeFileSync('left-behind', 'x')
    // Without the variables that Node sets for its channel and those that the shell sets.
    const environment = Object.keys(process.env).filter((name) => !/^(NODE_CHANNEL.*|PWD|_)$/.test(name))
    return { setup, pid: process.pid, folder: process.cwd(), files: readdirSync('.'), environment }
  }
  return job.say
})
