/** The rows of an import, checked against the organisation as it is now: a group may have been created since. */
import type { Db } from '@kelisim/db/db.ts'
import type { TableRow } from '@kelisim/domain/bulk/plan.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { peopleIn, type PersonRow } from '@kelisim/domain/member-import/rows.ts'
import { factsOf, findImport, findImportRows, type ImportRow, type StoredImport } from './queries.ts'

export async function peopleOf(
  db: Db,
  { organizationId, columns }: Pick<StoredImport, 'organizationId' | 'columns'>,
  rows: readonly ImportRow[],
  now: Date,
): Promise<PersonRow[]> {
  const facts = await factsOf(db, organizationId, now)
  return peopleIn(columns, rows.map(tableRow), facts)
}

function tableRow({ number, cells, problems }: ImportRow): TableRow {
  return { number, cells, problems: problems as TableRow['problems'] }
}

export type ImportedPerson = {
  row: ImportRow
  person: PersonRow
  kind: 'good' | 'bad' | 'queued' | 'invited'
}

/** Adds a kind to each row; problems no longer matter once the person is invited or queued. */
export function withKinds(rows: readonly ImportRow[], people: readonly PersonRow[]): ImportedPerson[] {
  return rows.map((row, i) => {
    const person = people[i]!
    if (row.state === 'invited' || row.state === 'queued')
      return { row, person: { ...person, problems: [] }, kind: row.state }
    return { row, person, kind: person.problems.length > 0 ? 'bad' : 'good' }
  })
}

export type FoundImport = { memberImport: StoredImport; people: ImportedPerson[] }

export async function foundImport(db: Db, organizationId: string, now: Date): Promise<FoundImport | null> {
  const memberImport = await findImport(db, organizationId)
  if (!memberImport) return null
  const rows = await findImportRows(db, memberImport.id)
  return { memberImport, people: withKinds(rows, await peopleOf(db, memberImport, rows, now)) }
}

export async function mustFind(db: Db, organizationId: string, now: Date): Promise<FoundImport> {
  return (await foundImport(db, organizationId, now)) ?? refuse('member-import-not-found')
}
