/** The statements that run meanwhile, `begin` and `commit` included. */
import pg from 'pg'
import { vi } from 'vitest'
import type { Database } from './db.ts'

/** Those of this database alone: what another test file of the same process left running asks another one. */
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
