/** The statements that run meanwhile, `begin` and `commit` included. */
import pg from 'pg'
import { vi } from 'vitest'

export async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await run()
    const asked = spy.mock.calls as unknown as [string | { text?: string }][]
    return asked.map(([first]) => (typeof first === 'string' ? first : (first.text ?? '')))
  } finally {
    spy.mockRestore()
  }
}
