/** An uploaded table after reading: names of columns, and rows of text as people see them in their program. */

import type { cellProblems } from '@kelisim/domain/bulk/plan.ts'

export const tableLimits = {
  bytes: 10 * 1024 * 1024,
  /** Without the row of names. */
  rows: 1000,
  columns: 100,
  /** Characters in one cell. */
  cell: 5000,
  /** All parts of an XLSX together, unpacked. */
  unpacked: 200 * 1024 * 1024,
  entries: 1000,
} as const

type CellProblem = (typeof cellProblems)[number]

export type TableRow = {
  /** The number of the row in its program: the row of names usually has 1. */
  number: number
  /** One for each column. */
  cells: string[]
  problems: { column: string; problem: CellProblem }[]
}

export type ReadTable = { columns: string[]; rows: TableRow[] }

/** Why nothing of a file can be read. */
export const tableFaults = [
  'not-a-table',
  'broken',
  'encrypted',
  'too-large',
  'too-much',
  'no-columns',
  'no-rows',
  'too-many-rows',
  'too-many-columns',
  'duplicate-columns',
  'merged-names',
] as const
export type TableFault = (typeof tableFaults)[number]

export class TableError extends Error {
  readonly fault: TableFault
  /** The columns that are named twice. */
  readonly names: string[]
  constructor(fault: TableFault, names: string[] = []) {
    super(fault)
    this.fault = fault
    this.names = names
  }
}

export type TableResult = { table: ReadTable } | { fault: TableFault; names: string[] }

/** A row that is not empty; its cells by the index of their column. */
export type RawRow = {
  number: number
  cells: Map<number, string>
  problems: { column: number; problem: CellProblem }[]
}

/**
 * The first row that is not empty has the names. Empty rows and columns are left out, however many a program has
 * kept; a column with values but without a name is named by its letter.
 */
export function tableOf(rows: readonly RawRow[]): ReadTable {
  const [head, ...rest] = rows
  if (!head) throw new TableError('no-columns')
  if (head.problems.some(({ problem }) => problem === 'merged-cells')) throw new TableError('merged-names')
  if (rest.length === 0) throw new TableError('no-rows')
  const used = [
    ...new Set(
      rows.flatMap(({ cells, problems }) => [...cells.keys(), ...problems.map((one) => one.column)]),
    ),
  ].toSorted((a, b) => a - b)
  if (used.length > tableLimits.columns) throw new TableError('too-many-columns')
  const columns = used.map((index) => head.cells.get(index) ?? `(${columnName(index)})`)
  const twice = columns.filter((name, i) => columns.some((other, j) => j < i && isSameName(name, other)))
  if (twice.length > 0) throw new TableError('duplicate-columns', [...new Set(twice)])
  return {
    columns,
    rows: rest.map(({ number, cells, problems }) => ({
      number,
      cells: used.map((index) => cells.get(index) ?? ''),
      problems: problems.map(({ column, problem }) => ({ column: columns[used.indexOf(column)]!, problem })),
    })),
  }
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** A, B … Z, AA … */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter
}

/** Keeps the rows that are not empty, as long as there are not too many. */
export function rowCollector() {
  const rows: RawRow[] = []
  return {
    rows,
    add: (row: RawRow): void => {
      if (row.cells.size === 0 && row.problems.length === 0) return
      rows.push(row)
      if (rows.length > tableLimits.rows + 1) throw new TableError('too-many-rows')
    },
  }
}

/** The text of a cell without invisible characters; null: nothing is left. */
export function visibleText(text: string): string | null {
  // oxlint-disable-next-line no-control-regex -- these are the characters to remove
  const seen = text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u00ad\u200b\u2060\ufeff]/g, '')
    .replaceAll(/\r\n?/g, '\n')
    .trim()
  return seen === '' ? null : seen
}
