/**
 * Turns each row of a table into the values of a template and the recipient of the document (docs/product/bulk.md).
 */
import { wordsAfter } from '../rich-text/amount-words.ts'
import { usualValue, whyNotValue, type Facts, type VariableKind } from '../rich-text/variables.ts'
import { isEmail } from '../email-address.ts'
import { hasRightCheckDigit, isTwelveDigits } from '../numbers.ts'

export type TemplateVariable = { name: string; type: VariableKind; usual: string }

export type BulkPlan = {
  templateId: string
  /** `quick`: a group of the sender signs, then the owner of the row's number. `route`: rows go along a route. */
  way: 'quick' | 'route'
  groupId: string | null
  routeId: string | null
  /** The column that names the route of each row by its name or id; rows with an empty cell use `routeId`. */
  routeColumn?: string
  /**
   * The routes that rows named when sending began, so that renaming a route later does not change any row's route.
   */
  namedRoutes?: Record<string, RowRoute>
  kindId: string | null
  /** The name of each request; {Column} stands for the value of that column in the row. */
  name: string
  /** The columns with the recipient of a quick request. */
  recipient: { bin: string; emails: string; organizationName: string }
  /** The column of each variable; a variable that is not named here gets its usual value. */
  variables: Record<string, string>
}

export type RowRoute = { id: string; name: string }
/** A route that the sender sees. */
export type RouteChoice = RowRoute & { isActive: boolean }

/** What makes a cell unreadable. */
export const cellProblems = ['formula-without-value', 'cell-error', 'merged-cells', 'cell-too-long'] as const

export const rowProblems = [
  'required',
  'too-long',
  'number-incorrect',
  'date-incorrect',
  'twelve-digits',
  'check-digit',
  'email-incorrect',
  'recipient-is-own',
  'route-unknown',
  'route-inactive',
  'route-ambiguous',
  'duplicate',
  'name-too-long',
  ...cellProblems,
] as const
export type RowProblem = {
  /** The column or the variable concerned; empty: the whole row. */
  column: string
  problem: (typeof rowProblems)[number]
  /** For a duplicate: the number of the equal row. */
  row?: number
}

export type TableRow = {
  number: number
  cells: readonly string[]
  problems: readonly { column: string; problem: (typeof cellProblems)[number] }[]
}

export type PlannedRow = {
  number: number
  name: string
  values: Record<string, string>
  recipient: { bin: string; organizationName: string; emails: string[] } | null
  /** The route that the row itself names. */
  route: RowRoute | null
  problems: RowProblem[]
}

export const longestName = 250
const mostEmails = 20

type Planning = {
  columns: readonly string[]
  rows: readonly TableRow[]
  plan: BulkPlan
  variables: readonly TemplateVariable[]
  facts: Facts
  /** The routes that rows may name. */
  routes?: readonly RouteChoice[]
}

/** Every row as it would be sent, with all its problems. */
export function planRows({ rows, ...planning }: Planning): PlannedRow[] {
  const seen = new Map<string, number>()
  return rows.map((row) => {
    const planned = planRow(row, planning)
    const same = JSON.stringify([planned.name, planned.values, planned.recipient, planned.route])
    const first = seen.get(same)
    if (first === undefined) seen.set(same, row.number)
    else planned.problems.push({ column: '', problem: 'duplicate', row: first })
    return planned
  })
}

function planRow(row: TableRow, planning: Omit<Planning, 'rows'>): PlannedRow {
  const { columns, plan, variables, facts, routes = [] } = planning
  const cell = (column: string) => row.cells[columns.indexOf(column)] ?? ''
  const isUsed = (column: string) =>
    Object.values(plan.variables).includes(column) ||
    (plan.way === 'quick' && Object.values(plan.recipient).includes(column)) ||
    (plan.way === 'route' && plan.routeColumn === column) ||
    plan.name.includes(`{${column}}`)
  const problems: RowProblem[] = row.problems.filter(({ column }) => isUsed(column))
  const spoilt = new Set(problems.map(({ column }) => column))
  const note = (column: string, problem: RowProblem['problem'] | null) => {
    const isKnown = problems.some((one) => one.column === column && one.problem === problem)
    if (problem !== null && !isKnown && !spoilt.has(column)) problems.push({ column, problem })
  }
  const values = valuesOf({ cell, plan, variables, facts, note })
  const name = plan.name
    .replaceAll(/\{([^{}]+)\}/g, (whole, column: string) => (columns.includes(column) ? cell(column) : whole))
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (name === '') note('', 'required')
  if (name.length > longestName) note('', 'name-too-long')
  const recipient = plan.way === 'quick' ? recipientOf({ cell, plan, facts, note }) : null
  const route = plan.way === 'route' ? routeOf({ cell, plan, facts, note }, routes) : null
  return { number: row.number, name, values, recipient, route, problems }
}

type Note = (column: string, problem: RowProblem['problem'] | null) => void
type Part = { cell: (column: string) => string; plan: BulkPlan; facts: Facts; note: Note }

function valuesOf({ cell, plan, variables, facts, note }: Part & { variables: readonly TemplateVariable[] }) {
  const filled = variables.map(({ name, type, usual }) => {
    const column = plan.variables[name]
    const given = column === undefined ? '' : normalValue(type, cell(column))
    return { name, type, column, value: given === '' ? usualValue(type, usual, facts) : given }
  })
  // An amount in words is filled from its number, as in the editor.
  for (const number of filled.filter(({ type }) => type === 'number')) {
    for (const words of wordsAfter(filled, number)) {
      const follower = filled.find(({ name, column }) => name === words.name && column === undefined)
      if (follower && follower.value === '') follower.value = words.value
    }
  }
  for (const { name, type, column, value } of filled) note(column ?? name, whyNotValue(type, value))
  return Object.fromEntries(filled.map(({ name, value }) => [name, value]))
}

/** Normalises a value: a date from a spreadsheet program becomes DD.MM.YYYY, a BIN loses its spaces. */
function normalValue(type: VariableKind, text: string): string {
  const value = text.trim()
  if (type === 'bin' || type === 'organizationBin') return value.replaceAll(/\s/g, '')
  if (type !== 'date' && type !== 'today') return value
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]00:00(?::00)?)?$/.exec(value) ?? []
  return year === undefined ? value : `${day}.${month}.${year}`
}

function recipientOf({ cell, plan, facts, note }: Part): PlannedRow['recipient'] {
  const columns = plan.recipient
  const bin = cell(columns.bin).replaceAll(/\s/g, '')
  note(columns.bin, whyNotRecipient(bin, facts.organizationBin))
  const emails = [
    ...new Set(
      cell(columns.emails)
        .toLowerCase()
        .split(/[\s,;]+/)
        .filter(Boolean),
    ),
  ]
  note(columns.emails, whyNotEmails(emails))
  return { bin, emails, organizationName: cell(columns.organizationName).slice(0, 250) }
}

/** The route of a row; a row that names none goes along the route of the plan. */
function routeOf({ cell, plan, note }: Part, routes: readonly RouteChoice[]): RowRoute | null {
  const { routeColumn: column = '', namedRoutes, routeId } = plan
  const text = column === '' ? '' : routeText(cell(column))
  if (text === '') {
    if (column !== '' && routeId === null) note(column, 'required')
    return null
  }
  if (namedRoutes) {
    const kept = namedRoutes[text]
    if (!kept) note(column, 'route-unknown')
    return kept ?? null
  }
  const found = routes.filter(({ id, name }) => id === text || routeText(name) === text)
  const [first, ...others] = found.filter(({ isActive }) => isActive)
  if (!first) note(column, found.length > 0 ? 'route-inactive' : 'route-unknown')
  else if (others.length > 0) note(column, 'route-ambiguous')
  return first && others.length === 0 ? { id: first.id, name: first.name } : null
}

/** The form in which names of routes are compared: case and white space do not matter. */
export function routeText(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

/** The routes that the rows name, to be stored until the rows are sent. */
export function namedRoutesIn(
  rows: readonly (Pick<PlannedRow, 'route'> & { cells: readonly string[] })[],
  columns: readonly string[],
  { routeColumn = '' }: Pick<BulkPlan, 'routeColumn'>,
): Record<string, RowRoute> {
  const place = columns.indexOf(routeColumn)
  return Object.fromEntries(
    rows.flatMap(({ route, cells }) => (route ? [[routeText(cells[place] ?? ''), route] as const] : [])),
  )
}

function whyNotRecipient(bin: string, own: string): RowProblem['problem'] | null {
  if (bin === '') return 'required'
  if (!isTwelveDigits(bin)) return 'twelve-digits'
  if (!hasRightCheckDigit(bin)) return 'check-digit'
  return bin === own ? 'recipient-is-own' : null
}

function whyNotEmails(emails: readonly string[]): RowProblem['problem'] | null {
  if (emails.length === 0) return 'required'
  return emails.length > mostEmails || !emails.every(isEmail) ? 'email-incorrect' : null
}

/** Suggests columns by their titles: the title of a variable's name, or a usual title. */
export function suggestColumns(
  columns: readonly string[],
  variables: readonly Pick<TemplateVariable, 'name'>[],
): Pick<BulkPlan, 'recipient' | 'variables'> & { routeColumn: string } {
  const find = (pattern: RegExp) => columns.find((column) => pattern.test(column.trim())) ?? ''
  const named = (name: string) => columns.find((column) => isSame(column, name))
  return {
    routeColumn: find(/^(маршрут|бағыт|route)/i),
    recipient: {
      bin: find(/^(бин|иин|бин\/иин|бсн|жсн|бсн\/жсн|bin|iin)/i),
      emails: find(/почт|пошта|mail/i),
      organizationName: find(
        /^(?!.*(бин|иин|mail|почт)).*(компан|организац|контрагент|получател|покупател|заказчик|клиент|наименован|company|ұйым)/i,
      ),
    },
    variables: Object.fromEntries(
      variables.flatMap(({ name }) => {
        const column = named(name)
        return column === undefined ? [] : [[name, column] as const]
      }),
    ),
  }
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}
