/** A CRL of national size: indexed once, in a fresh process, then searched. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { ListIndexed } from './parts/index-list.ts'
import { rounded, type Measure } from './parts/measure.ts'
import { nationalList } from './parts/national-list.ts'

const limitMs = 1000
const limitMb = 20
const limitMicroseconds = 10
const rounds = 5

export async function crlIndex(): Promise<Measure> {
  const path = await nationalList()
  const all = Array.from({ length: rounds }, () => indexedApart(path))
  const median = (of: (one: ListIndexed) => number) =>
    rounded(all.map(of).toSorted((a, b) => a - b)[rounds >> 1]!)
  const value = median(({ indexMs }) => indexMs)
  const grownBy = median((one) => one.grownBy)
  const lookUp = median(({ lookUpMicroseconds }) => lookUpMicroseconds)
  return {
    name: 'crlIndex',
    value,
    anchor: limitMs,
    ratio: rounded(value / limitMs),
    goal: `< ${limitMs} ms, <= ${limitMb} MB more, look-ups <= ${limitMicroseconds} µs`,
    ok: value < limitMs && grownBy <= limitMb && lookUp <= limitMicroseconds,
    note: `${grownBy} MB more; a look-up ${lookUp} µs; the signature over it ${median(({ verifyMs }) => verifyMs)} ms beside`,
  }
}

function indexedApart(path: string): ListIndexed {
  const script = join(import.meta.dirname, 'parts', 'index-list.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', script, path], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as ListIndexed
}
