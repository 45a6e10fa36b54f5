/**
 * Compares the TypeScript types of the tables with the migrated database: every table, every column, whether it may be
 * null, whether it has a default, and its type.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testDatabase } from './testing.ts'

type Column = { kind: string; isNullable: boolean; isGenerated: boolean }
type Tables = Record<string, Record<string, Column>>

const kinds: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  'character varying': 'string',
  date: 'string',
  boolean: 'boolean',
  integer: 'number',
  bigint: 'number',
  bytea: 'Buffer',
  jsonb: 'json',
  tsvector: 'string',
  _uuid: 'string[]',
  _text: 'string[]',
  _bytea: 'Buffer[]',
  'timestamp with time zone': 'Date',
}

test('the types of the tables are those of the database', async () => {
  const { database } = await testDatabase()
  const { rows } = await database.pool.query<{
    table: string
    column: string
    type: string
    nullable: boolean
    generated: boolean
  }>(`
    select table_name as table, column_name as column,
      case data_type when 'ARRAY' then udt_name else data_type end as type, is_nullable = 'YES' as nullable,
      column_default is not null or is_identity = 'YES' as generated
    from information_schema.columns
    where table_schema = 'public' and table_name <> 'migrations'`)
  const real: Tables = {}
  for (const row of rows) {
    const kind = kinds[row.type] ?? `unknown (${row.type})`
    const table = (real[camelCase(row.table)] ??= {})
    table[camelCase(row.column)] = { kind, isNullable: row.nullable, isGenerated: row.generated }
  }
  expect(writtenTables()).toEqual(real)
})

function writtenTables(): Tables {
  const folder = new URL('./schema/', import.meta.url)
  const tables: Tables = {}
  for (const file of readdirSync(folder)) {
    const text = readFileSync(new URL(file, folder), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    const body = /export type \w+Tables = \{([\s\S]*?)\n\}/.exec(text)![1]!
    for (const [table, columns] of membersOf(body)) {
      const written = membersOf(columns.replace(/^\{|\}$/g, ''))
      tables[table] = Object.fromEntries(written.map(([name, type]) => [name, columnOf(type)]))
    }
  }
  return tables
}

/** `a: X; b: { … }` → [['a', 'X'], ['b', '{ … }']]: splits where no bracket is open. */
function membersOf(body: string): [string, string][] {
  let depth = 0
  const parts = ['']
  for (const sign of body) {
    if ('{<('.includes(sign)) depth++
    if ('}>)'.includes(sign)) depth--
    if (depth === 0 && /[;\n]/.test(sign)) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, name, type] = /^(\w+): ([\s\S]+)$/.exec(part)!
      return [name!, type!.trim()]
    })
}

function columnOf(type: string): Column {
  const isNullable = type.endsWith('| null')
  const bare = type.replace(/ \| null$/, '')
  if (bare.startsWith('GeneratedJson<')) return { kind: 'json', isNullable, isGenerated: true }
  const generated = /^Generated(?:Always)?<([\s\S]+)>$/.exec(bare)
  return { kind: kindOf(generated?.[1] ?? bare), isNullable, isGenerated: generated !== null }
}

function kindOf(type: string): string {
  if (/^('[\w-]+'( \| )?)+$/.test(type) || type === 'Language') return 'string'
  return /^(Record|JSONColumnType)</.test(type) ? 'json' : type
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
