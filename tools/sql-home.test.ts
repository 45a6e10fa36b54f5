/** SQL lives in queries.ts, *-queries.ts or a folder queries/ of its slice: handlers, rules and jobs contain none. */
import { expect, test } from 'vitest'
import { filesBelow, readText } from './source-files.ts'

/** Folders that do not follow the rule yet; the list only gets shorter. */
const notYet = [
  'server/http/',
  'server/identity/',
  'server/portal/',
  'server/options/',
  'server/mail/',
  'server/jobs/',
  'server/operator/',
  'server/backup/',
  'server/transparency/',
  'server/signatures/',
  'server/substitutions/',
  'server/keys/',
  'server/verify/',
  'sign-in/',
]

/** Helpers that build the pages of every list. */
const isExempt = (file: string) =>
  file.startsWith('server/lists/') || /\.test\.ts$|(^|\/)testing[^/]*$/.test(file)

const isHome = (file: string) => /(^|\/)([\w-]+-)?queries\.ts$|\/queries\/[^/]+\.ts$/.test(file)

const statement =
  /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(<[^`]*>)?`|\.execute(TakeFirst|TakeFirstOrThrow)?\(/

test('SQL is written in files of queries only', () => {
  const files = ['server', 'sign-in'].flatMap((folder) => filesBelow(folder, /\.ts$/))
  const others = files.filter(
    (file) => !isHome(file) && !isExempt(file) && !notYet.some((folder) => file.startsWith(folder)),
  )
  expect(others.length).toBeGreaterThan(100)
  const found = others.flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, i) => (statement.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})

test('the test itself sees SQL', () => {
  const lines = [
    "  .selectFrom('users')",
    'await sql<{ id: string }>`select 1`.execute(tx)',
    '    .execute()',
  ]
  expect(lines.filter((line) => !statement.test(line))).toEqual([])
  expect(isHome('server/points/contractor-queries.ts')).toBe(true)
  expect(isHome('server/requests/core/queries/events.ts')).toBe(true)
  expect(isHome('server/requests/core/state.ts')).toBe(false)
})
