import { expect, test } from 'vitest'
import { minute } from '@kelisim/domain/durations.ts'
import { getDocuments } from '@kelisim/domain/documents/contract.ts'
import { getOrganizations } from '@kelisim/domain/identity/contract.ts'
import { startTestApp } from '../testing.ts'

const limit = 100
const { make, call } = await startTestApp({ http: { organizationCallsPerMinute: limit } })

test('all members of an organisation share its limit of calls a minute, and other organisations are not limited by it', async () => {
  const [owner, member] = [await make.person(), await make.person()]
  const organizationId = await make.organization(owner)
  const neighbour = await make.organization(owner)
  await make.member(organizationId, member)
  const list = (who: string, of: string) =>
    call(who, getDocuments, { organizationId: of, path: 'my', sort: '-created', skip: 0, take: 10 })

  for (let made = 0; made < limit; made++) {
    const { status } = await list(made % 2 === 0 ? owner : member, organizationId)
    expect(status).toBe(200)
  }
  const { status, error, headers } = await list(member, organizationId)
  expect(status).toBe(429)
  expect(error).toMatchObject({
    ClassName: 'HttpException',
    ExceptionData: { Alias: 'organization-too-many-requests' },
  })
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(minute / 1000)
  expect((await list(owner, neighbour)).status).toBe(200)
  // Calls that belong to no organisation are not counted for one.
  expect((await call(member, getOrganizations, {})).status).toBe(200)
})
