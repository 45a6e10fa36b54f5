/** Every kind of job and chore has a name that the operator can read. */
import { expect, test } from 'vitest'
import { readJson, readText } from './source-files.ts'

test.each(['ru', 'kk', 'en'])('every kind of work has a name in %s', (language) => {
  const [jobs] = /const names: JobName\[\] = \[([^\]]*)\]/.exec(readText('server/jobs/queue.ts'))!.slice(1)
  const names = [
    ...[...jobs!.matchAll(/'([a-z-]+)'/g)].map((match) => match[1]!),
    ...[...readText('start/chores.ts').matchAll(/\bevery\(\s*'([a-z-]+)'/g)].map((match) => match[1]!),
  ]
  expect(names.length).toBeGreaterThan(9)
  const { work } = readJson(`texts/${language}/operator.json`) as { work: Record<string, string> }
  expect(names.filter((name) => work[name] === undefined)).toEqual([])
})
