/**
 * Migrations expand the schema, and contract it only when no version reads the old part any more (docs/upgrades.md):
 * the previous version must work on the new schema, because during an upgrade both versions run.
 */
import { describe, expect, test } from 'vitest'
import { filesBelow, readText } from './source-files.ts'

/** Older migrations were made before the rule; nobody upgrades across them without a stop. */
const firstUnderTheRule = '0065'

const migrations = filesBelow('db/migrations', /\.sql$/)
  .toSorted()
  .map((file) => ({ name: file.split('/').at(-1)!, sql: readText(file) }))
  .filter(({ name }) => name >= firstUnderTheRule)

/** Statements that break a version that does not know the migration. */
const contracting: readonly [what: string, pattern: RegExp][] = [
  ['drops a table or a view', /\bdrop\s+(table|view|materialized view|type|sequence)\b/i],
  ['drops a column', /\bdrop\s+column\b/i],
  ['renames', /\brename\s+(to|column|constraint)\b|\brename\s+\w+\s+to\b/i],
  ['changes the type of a column', /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i],
  ['forbids null where it was allowed', /\bset\s+not\s+null\b/i],
  ['takes a default away', /\bdrop\s+default\b/i],
]

/** From here on a migration must not lock large tables for long either. */
const firstThatIsShort = '0130'
const largeTables =
  /^(signing_requests|request_points|request_events|request_inboxes|request_signatures|files|documents|notices|mails|log_\w+)$/

/** Statements that lock a large table for long: they belong into a chore, in portions or `concurrently`. */
function longStatements(sql: string): string[] {
  const made = new Set(
    [...sql.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, name]) => name!),
  )
  const statements = [
    ...sql.matchAll(/\bcreate\s+(?:unique\s+)?index\s+(?!concurrently\b)(?:\w+\s+)??on\s+(\w+)/gi),
    ...sql.matchAll(/(?:^|;)\s*update\s+(\w+)/gi),
    ...sql.matchAll(/\balter\s+table\s+(\w+)\s+add\s+constraint\b(?![^;]*\bnot\s+valid\b)/gi),
  ]
  return statements
    .filter(([, table]) => largeTables.test(table!) && !made.has(table!))
    .map(([statement]) => `takes long on a large table: ${statement.replace(/^[;\s]+/, '')}`)
}

/** The new columns that are required, although an insert of the previous version leaves them out. */
function demandedColumns(sql: string): string[] {
  return [...sql.matchAll(/\badd\s+column\s+(?:if\s+not\s+exists\s+)?([\s\S]*?)(?=,\s*add\b|;)/gi)]
    .map(([, column]) => column!)
    .filter((column) => /\bnot\s+null\b/i.test(column) && !/\bdefault\b|\bgenerated\b/i.test(column))
}

const withoutComments = (sql: string) => sql.replaceAll(/--.*$/gm, '')

function faultsOf(sql: string, mustBeShort = true): string[] {
  const [contracts, expands] = ['contracts', 'expands'].map((word) =>
    new RegExp(`^-- ${word}: \\S`, 'm').test(sql),
  )
  const statements = withoutComments(sql)
  const long = mustBeShort ? longStatements(statements) : []
  if (contracts) return expands ? ['says both that it expands and that it contracts', ...long] : long
  return [
    ...long,
    ...contracting.filter(([, pattern]) => pattern.test(statements)).map(([what]) => what),
    ...demandedColumns(statements).map((column) => `demands a value: ${column.trim()}`),
  ]
}

describe('the rule for migrations', () => {
  test.each([
    ['create table more (id uuid primary key, name text not null);', []],
    ["alter table users add column nick text not null default '';", []],
    ['alter table users add column nick text;', []],
    ['-- drop table users;', []],
    ['drop table users;', ['drops a table or a view']],
    ['alter table users drop column nick;', ['drops a column']],
    ['alter table users rename column nick to name;', ['renames']],
    ['alter table users alter column nick type int;', ['changes the type of a column']],
    ['alter table users alter column nick set not null;', ['forbids null where it was allowed']],
    ['alter table users add column nick text not null;', ['demands a value: nick text not null']],
    ['-- expands: nothing reads it\ndrop table users;', ['drops a table or a view']],
    ['-- expands: x\n-- contracts: y', ['says both that it expands and that it contracts']],
    ['-- contracts: nothing reads nick since 0.60\nalter table users drop column nick;', []],
    ['create index named on files (sha256);', ['takes long on a large table: create index named on files']],
    ['create unique index on notices (id);', ['takes long on a large table: create unique index on notices']],
    ['create table files (id uuid); create index on files (id);', []],
    ["update mails set language = 'ru';", ['takes long on a large table: update mails']],
    [
      'alter table files add constraint small check (size < 9);',
      ['takes long on a large table: alter table files add constraint'],
    ],
    ['alter table files add constraint small check (size < 9) not valid;', []],
  ])('%s', (sql, faults) => {
    expect(faultsOf(sql)).toEqual(faults)
  })
})

test.each(migrations.map(({ name, sql }) => [name, sql] as const))(
  '%s keeps to the rule for migrations',
  (name, sql) => {
    expect(faultsOf(sql, name >= firstThatIsShort)).toEqual([])
  },
)
