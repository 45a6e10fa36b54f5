/** Every kind of job and chore has a name that the operator can read, and chores have a row in docs/operations.md. */
import { expect, test } from 'vitest'
import { readJson, readText } from './source-files.ts'

const [, jobList] = /const names: JobName\[\] = \[([^\]]*)\]/.exec(readText('server/jobs/queue.ts'))!
const jobs = [...jobList!.matchAll(/'([a-z-]+)'/g)].map(([, name]) => name!)
const [, archiveChore] = /archiveChore = '([a-z-]+)'/.exec(readText('server/outputs/archive/archiving.ts'))!
const chores = [
  ...readText('start/chores.ts').matchAll(/\bevery\(\s*(?:'([a-z-]+)'|archiveChore),\s*'([^']+)'/g),
].map(([, name = archiveChore!, schedule]) => ({ name, schedule: schedule! }))
const choreNames = chores.map(({ name }) => name)

test.each(['ru', 'kk', 'en'])(
  'every job and chore has a name in %s, and every name belongs to one',
  (language) => {
    expect(choreNames.length).toBeGreaterThan(20)
    const { work } = readJson(`texts/${language}/operator.json`) as { work: Record<string, string> }
    expect(Object.keys(work).toSorted()).toEqual([...new Set([...jobs, ...choreNames])].toSorted())
  },
)

test('docs/operations.md lists the chores', () => {
  const [table] = /^\| chore +\|[\s\S]+?\n\n/m.exec(readText('docs/operations.md'))!
  const rows = table.split('\n').flatMap((row) => row.split('|')[1] ?? [])
  const listed = rows.flatMap((cell) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name!))
  expect(listed.toSorted()).toEqual(choreNames.toSorted())
})

test('no two daily or hourly chores begin at the same minute', () => {
  const daily = chores.filter(({ schedule }) => /^\d+ \d+ /.test(schedule))
  const hourly = chores.filter(({ schedule }) => /^\d+ \* /.test(schedule))
  const times = [
    ...daily.map(({ schedule }) => schedule),
    ...hourly.flatMap(({ schedule }) =>
      Array.from({ length: 24 }, (_, hour) => schedule.replace('*', String(hour))),
    ),
  ]
  expect(times.filter((time, i) => times.indexOf(time) !== i)).toEqual([])
})
