/** SQL lives in queries.ts, *-queries.ts or a folder queries/ of its slice: handlers, rules and jobs contain none. */
import { expect, test } from 'vitest'
import { filesBelow, readText } from './source-files.ts'

const isOfTests = (file: string) => /\.test\.ts$|(^|\/)testing[^/]*$/.test(file)

const isHome = (file: string) => /(^|\/)([\w-]+-)?queries\.ts$|\/queries\/[^/]+\.ts$/.test(file)

const statement =
  /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(<[^`]*>)?`|\.execute(TakeFirst|TakeFirstOrThrow)?\(|\.query(<.*>)?\((?!'(begin|commit|rollback))/

/** Statements of the database as a whole, which no slice owns (the decision on plain statements names the reasons). */
const exceptions = [
  'server/backup/backup.ts',
  'server/backup/restore.ts',
  'server/backup/tables.ts',
  'server/http/health.ts',
  'server/operator/health.ts',
  'server/requests/core/changes.ts',
]

test('SQL is written in files of queries only', () => {
  const files = ['server', 'sign-in'].flatMap((folder) => filesBelow(folder, /\.ts$/))
  const others = files.filter((file) => !isHome(file) && !isOfTests(file) && !exceptions.includes(file))
  expect(others.length).toBeGreaterThan(100)
  const found = others.flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, i) => (statement.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})

test('the test itself detects SQL', () => {
  const lines = [
    "  .selectFrom('users')",
    'await sql<{ id: string }>`select 1`.execute(tx)',
    '    .execute()',
    "await client.query('delete from users')",
    'const { rows } = await pool.query<{ id: string }>(',
  ]
  expect(lines.filter((line) => !statement.test(line))).toEqual([])
  expect(
    ["await client.query('begin isolation level repeatable read')"].filter((line) => statement.test(line)),
  ).toEqual([])
  expect(
    exceptions.filter(
      (file) =>
        !readText(file)
          .split('\n')
          .some((line) => statement.test(line)),
    ),
  ).toEqual([])
  expect(isHome('server/points/contractor-queries.ts')).toBe(true)
  expect(isHome('server/requests/core/queries/events.ts')).toBe(true)
  expect(isHome('server/requests/core/state.ts')).toBe(false)
})
