/** Makes the index anew, a few thousand things at a time, so that nobody waits for it. */
import { sql } from 'kysely'
import type { Database } from '@kelisim/db/db.ts'

/** The table with the ids of each kind. */
const tables = {
  request: 'signing_requests',
  document: 'documents',
  template: 'document_templates',
  route: 'routes',
  routeTemplate: 'routes',
  point: 'points',
  person: 'users',
} as const

const atOnce = 2000

/** Returns how many things were indexed anew or removed. */
export async function reindex({ db, write }: Database): Promise<number> {
  let count = 0
  for (const [kind, table] of Object.entries(tables)) {
    // Includes entries whose things no longer exist.
    for (let last = '00000000-0000-0000-0000-000000000000'; ;) {
      const { rows } = await sql<{ id: string }>`
        (select id from ${sql.table(table)} where id > ${last} order by id limit ${atOnce})
        union
        (select id from search_entries where kind = ${kind} and id > ${last} order by id limit ${atOnce})
        order by id limit ${atOnce}`.execute(db)
      if (rows.length === 0) break
      const ids = rows.map(({ id }) => id)
      await write((tx) => sql`select search_refresh(${kind}, ${ids}::uuid[])`.execute(tx))
      count += ids.length
      last = ids.at(-1)!
    }
  }
  return count
}
