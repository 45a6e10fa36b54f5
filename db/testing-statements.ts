/** For tests: records the statements that a function runs, including `begin` and `commit`. */
import pg from 'pg'
import { vi } from 'vitest'
import type { Database } from './db.ts'

/** Only statements of this database: a test file that ran before in the same process may still query another one. */
export async function statementsOf(database: Database, run: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await run()
    const asked = spy.mock.calls as unknown as [string | { text?: string }][]
    return asked
      .filter((_, i) => (spy.mock.contexts as pg.Client[])[i]!.database === database.pool.options.database)
      .map(([first]) => (typeof first === 'string' ? first : (first.text ?? '')))
  } finally {
    spy.mockRestore()
  }
}
