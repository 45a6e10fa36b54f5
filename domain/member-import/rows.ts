/** Reads the people in the rows of a table, with the problems of each row (docs/product/member-import.md). */
import { cellProblems, type TableRow } from '../bulk/plan.ts'
import { Email } from '../fields.ts'
import { hasRightCheckDigit, isPersonNumber, isTwelveDigits } from '../numbers.ts'

export const importFields = ['email', 'name', 'iin', 'groups'] as const
export type ImportField = (typeof importFields)[number]

export const personProblems = [
  'required',
  'email-incorrect',
  'twelve-digits',
  'check-digit',
  'iin-of-organization',
  'group-unknown',
  'duplicate',
  'already-member',
  'already-invited',
  ...cellProblems,
] as const

export type PersonProblem = {
  field: ImportField
  problem: (typeof personProblems)[number]
  /** For a duplicate: the number of the row with the same person. */
  row?: number
  /** The groups that do not exist. */
  names?: string
}

export type PersonRow = {
  number: number
  email: string
  name: string
  iin: string
  groups: string[]
  groupIds: string[]
  problems: PersonProblem[]
}

/** The groups, members and invitations that the organisation already has. */
export type ImportFacts = {
  groups: readonly { id: string; name: string }[]
  /** Proved addresses and numbers of its members. */
  members: readonly { email: string; iin: string | null }[]
  /** Addresses with an invitation that can still be accepted. */
  invited: readonly string[]
}

const headings: Record<ImportField, RegExp> = {
  email: /почт|пошта|e-?mail/i,
  name: /фио|имя|сотрудник|аты|тегі|қызметкер|name|employee/i,
  iin: /иин|жсн|\biin\b/i,
  groups: /групп|топ|group/i,
}

/** The column of each field, by its heading; null: there is none. */
export function columnsOf(columns: readonly string[]): Record<ImportField, string | null> {
  const find = (field: ImportField) => columns.find((column) => headings[field].test(column)) ?? null
  return { email: find('email'), name: find('name'), iin: find('iin'), groups: find('groups') }
}

/** Every person of the table, with all problems of their row. */
export function peopleIn(
  columns: readonly string[],
  rows: readonly TableRow[],
  facts: ImportFacts,
): PersonRow[] {
  const places = columnsOf(columns)
  const known = knownFrom(facts)
  const seen = { emails: new Map<string, number>(), iins: new Map<string, number>() }
  return rows.map((row) => {
    const cell = (field: ImportField) => {
      const column = places[field]
      return column === null ? '' : (row.cells[columns.indexOf(column)] ?? '').trim()
    }
    const unreadable = importFields.flatMap((field): PersonProblem[] =>
      row.problems
        .filter(({ column }) => column === places[field])
        .map(({ problem }) => ({ field, problem })),
    )
    const email = cell('email').toLowerCase()
    const iin = cell('iin').replaceAll(/\s/g, '')
    const groups = groupNames(cell('groups'))
    const unknown = groups.filter((name) => !known.groups.has(sameName(name)))
    const found: (PersonProblem | null)[] = [
      emailProblem(email, known, seen.emails.get(email)),
      iinProblem(iin, known, seen.iins.get(iin)),
      unknown.length > 0 ? { field: 'groups', problem: 'group-unknown', names: unknown.join(', ') } : null,
    ]
    if (!seen.emails.has(email)) seen.emails.set(email, row.number)
    if (!seen.iins.has(iin)) seen.iins.set(iin, row.number)
    const problems = found.filter(
      (one) => one !== null && !unreadable.some(({ field }) => field === one.field),
    ) as PersonProblem[]
    return {
      number: row.number,
      email,
      name: cell('name'),
      iin,
      groups,
      groupIds: groups.flatMap((name) => known.groups.get(sameName(name)) ?? []),
      problems: [...unreadable, ...problems],
    }
  })
}

type Known = {
  groups: Map<string, string>
  emails: Set<string>
  iins: Set<string>
  invited: Set<string>
}

function knownFrom({ groups, members, invited }: ImportFacts): Known {
  return {
    groups: new Map(groups.map(({ id, name }) => [sameName(name), id])),
    emails: new Set(members.map(({ email }) => email)),
    iins: new Set(members.flatMap(({ iin }) => iin ?? [])),
    invited: new Set(invited),
  }
}

function emailProblem(email: string, known: Known, first: number | undefined): PersonProblem | null {
  const field = 'email'
  if (email === '') return { field, problem: 'required' }
  if (!Email.safeParse(email).success) return { field, problem: 'email-incorrect' }
  if (first !== undefined) return { field, problem: 'duplicate', row: first }
  if (known.emails.has(email)) return { field, problem: 'already-member' }
  return known.invited.has(email) ? { field, problem: 'already-invited' } : null
}

/** The problem of an IIN, which may be left out, because an invitation goes to an e-mail address. */
function iinProblem(iin: string, known: Known, first: number | undefined): PersonProblem | null {
  const field = 'iin'
  if (iin === '') return null
  if (!isTwelveDigits(iin)) return { field, problem: 'twelve-digits' }
  if (!hasRightCheckDigit(iin)) return { field, problem: 'check-digit' }
  if (!isPersonNumber(iin)) return { field, problem: 'iin-of-organization' }
  if (first !== undefined) return { field, problem: 'duplicate', row: first }
  return known.iins.has(iin) ? { field, problem: 'already-member' } : null
}

function groupNames(text: string): string[] {
  const names = text.split(/[;,\n]/).map((name) => name.trim())
  return [...new Map(names.filter(Boolean).map((name) => [sameName(name), name])).values()]
}

/** The form in which names of groups are compared: case and white space do not matter. */
function sameName(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ').toLowerCase()
}
