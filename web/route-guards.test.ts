// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type { Organization, Session } from './shell/session/session.ts'
import { loadWorkplace } from './route-guards.ts'

const asked = vi.hoisted(() => [] as string[])
vi.mock(import('./api/api.ts'), async (original) => ({
  ...(await original()),
  query: ((_endpoint: unknown, { organizationId }: { organizationId: string }) => ({
    queryKey: ['options', organizationId],
    queryFn: () => asked.push(organizationId),
  })) as never,
}))

test('the options are requested on load and whenever the organisation changes', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
  const load = (Id: string) => loadWorkplace(client, {} as Session, { Id } as Organization)
  for (const id of ['a', 'a', 'b', 'b', 'a']) await load(id)
  expect(asked).toEqual(['a', 'b', 'a'])
})
