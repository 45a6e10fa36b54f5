/**
 * Names are sorted and searched by the database, so it needs Kazakh rules: by code points Қ is sorted after Я, and in
 * the locale "C" a case-insensitive search finds no Cyrillic at all.
 */
import pg from 'pg'
import type { Connection } from './db.ts'

export async function sortsAsKazakh(connection: Connection): Promise<boolean> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ sorts: boolean }>(
      "select 'Қ' > 'К' and 'Қ' < 'Л' and 'Ң' < 'О' and lower('ӘҚҢ') = 'әқң' as sorts",
    )
    return rows[0]!.sorts
  } finally {
    await client.end()
  }
}
