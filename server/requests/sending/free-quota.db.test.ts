/** Free requests are counted for a proved number, and for the person where nothing is proved. */
import { expect, test } from 'vitest'
import { askForChallenge, confirmOrganization } from '@kelisim/domain/identity/confirmation-contract.ts'
import { getSubscriptions } from '@kelisim/domain/subscriptions/contract.ts'
import { citizen, sign } from '../../identity/testing-signers.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { startRequestsApp, type Company } from '../core/testing-requests.ts'

const testApp = await startRequestsApp()
const { call, database, make, nation, time } = testApp

/** An organisation on the free tier that has proved nothing, with a route inside it. */
async function freeCompany(): Promise<Company & { routeId: string }> {
  const company = await testApp.company()
  const id = company.organizationId
  await database.write(async (tx) => {
    await tx.deleteFrom('subscriptions').where('organizationId', '=', id).execute()
    await tx.updateTable('organizations').set({ confirmedAt: null }).where('id', '=', id).execute()
  })
  return { ...company, routeId: await company.route(await company.point('CompanyInternalSign')) }
}

const used = async (personId: string, organizationId: string) => {
  const { activeSubscription } = (await call(personId, getSubscriptions, { organizationId })).result
  return [activeSubscription.createdSigningRequestCount, activeSubscription.countedFor]
}

async function prove(personId: string, company: Company) {
  const director = await citizen(nation, { bin: company.bin })
  const challenge = (await call(personId, askForChallenge, {})).result
  const cms = await sign(director, Buffer.from(challenge.content, 'base64'), time.now)
  const signature = Buffer.from(cms).toString('base64')
  const input = { challengeId: challenge.id, kind: 'organization' as const, signature }
  return (await call(personId, confirmOrganization, { ...input, organizationId: company.organizationId }))
    .result
}

test('one person has ten free requests in all their unconfirmed organisations, also with fifteen at once', async () => {
  const companies = [await freeCompany(), await freeCompany(), await freeCompany()]
  const person = await make.person()
  for (const { organizationId } of companies) await make.member(organizationId, person)
  const sent = await Promise.all(
    Array.from({ length: 15 }, (_, i) => {
      const company = companies[i % companies.length]!
      return company.send(company.routeId, {}, person)
    }),
  )
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(new Set(sent.filter(({ status }) => status !== 200).map(aliasOf))).toEqual(
    new Set(['organization-restricted']),
  )
  for (const { organizationId } of companies)
    expect(await used(person, organizationId)).toEqual([10, 'person'])
  // A colleague in the same organisation has their own ten.
  expect(await used(companies[0]!.employee, companies[0]!.organizationId)).toEqual([0, 'person'])
})

test('proving the number gives no second ten free requests, and counts those that anybody sent before', async () => {
  const company = await freeCompany()
  const { organizationId, owner, employee, routeId } = company
  for (let i = 0; i < 6; i++) expect((await company.send(routeId)).status).toBe(200)
  for (let i = 0; i < 3; i++) expect((await company.send(routeId, {}, owner)).status).toBe(200)
  expect((await prove(owner, company)).status).toBe('confirmed')
  expect(await used(owner, organizationId)).toEqual([9, 'number'])
  expect((await company.send(routeId)).status).toBe(200)
  expect(aliasOf(await company.send(routeId, {}, owner))).toBe('organization-restricted')
  // Proving it again does not count anything twice.
  await prove(owner, company)
  expect(await used(employee, organizationId)).toEqual([10, 'number'])
  // Requests that the person sent without a proof are still counted for the person.
  const other = await freeCompany()
  await make.member(other.organizationId, employee)
  expect(await used(employee, other.organizationId)).toEqual([6, 'person'])
})
