import { expect, test, vi } from 'vitest'
import { addressOf } from './addresses.ts'

vi.mock('../api/page-config.ts', () => ({ pageConfig: {} }))

test.each(['request', 'document', 'template', 'route', 'routeTemplate', 'point', 'counterparty'] as const)(
  'a found %s opens in the organisation in which it was searched for',
  (kind) => {
    const address = addressOf(kind, { id: 'a1', title: 'Айгерим' }, 'o1')
    expect(address).toMatch(/[?&]organizationId=o1(&|$)/)
  },
)
