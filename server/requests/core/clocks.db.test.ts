/** When the clock jumps, locks, waiting times and codes neither end too early nor last for ever. */
import { expect, test } from 'vitest'
import { lockRequest, revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { createCrosslinks, getCrosslinks } from '@kelisim/domain/requests/phone-contract.ts'
import { checksIn } from '../../identity/testing-signers.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { openJudging } from '../judging/judging.ts'
import { actingIn, startRequestsApp } from './testing-requests.ts'

const testApp = await startRequestsApp()
const { app, call, nation, centre, database, time, travel, archive } = testApp
const { look, signAt } = actingIn(testApp)
const company = await testApp.company()
const { organizationId } = company
const employee = { id: company.employee, organizationId }
const colleague = { id: company.colleague, organizationId }
const route = await company.route(await company.point('CompanyInternalSign'))

const right = time.now
const minute = 60_000
const day = 24 * 60 * minute
const clockShows = (offset: number) => travel(new Date(right.getTime() + offset))
const judgeDue = () =>
  openJudging({
    database,
    storage: archive.storage,
    check: checksIn(nation, centre),
    clock: () => time.now,
  }).judgeDue()

test('a lock set by a clock running ahead is void after the clock is corrected; a clock that jumps ahead ends a lock', async () => {
  const { result: sent } = await company.send(route)
  const input = { organizationId, signingRequestId: sent.id }
  const hold = (id: string) => call(id, lockRequest, input)
  await clockShows(day)
  expect((await hold(colleague.id)).status).toBe(200)
  await clockShows(0)
  expect((await look(employee, sent.id)).result.lock).toBeNull()
  expect((await hold(employee.id)).result.until).toBe(new Date(right.getTime() + 5 * minute).toISOString())
  expect(aliasOf(await hold(colleague.id))).toBe('document-is-on-signing-process')

  await clockShows(day)
  expect((await hold(colleague.id)).status).toBe(200)
  await clockShows(0)
  const withdrawn = await call(employee.id, revokeRequest, { ...input, comment: 'Не надо' })
  expect(withdrawn.status).toBe(200)
})

test('a clock jump of two days does not count as waiting: the signature is judged after the clock is corrected', async () => {
  const { result: sent } = await company.send(route)
  centre.answer = undefined
  await signAt(employee, sent, 'CompanyInternalSign', company.stamp)
  await clockShows(2 * day)
  await judgeDue()
  const stateOf = async () => (await look(employee, sent.id)).result.points[0]!.signatures[0]!.state
  expect(await stateOf()).toBe('checking')
  // The next try was scheduled by the wrong clock, so it is not waited for.
  await clockShows(minute)
  centre.answer = 'good'
  await judgeDue()
  expect(await stateOf()).toBe('accepted')
  await clockShows(0)
})

test('a signature is judged normally after the clock was set back for a while', async () => {
  const { result: sent } = await company.send(route)
  centre.answer = undefined
  await signAt(employee, sent, 'CompanyInternalSign', company.stamp)
  await clockShows(-day)
  await judgeDue()
  centre.answer = 'good'
  await clockShows(minute)
  await judgeDue()
  expect((await look(employee, sent.id)).result.points[0]!.signatures[0]!.state).toBe('accepted')
  await clockShows(0)
})

test('a phone code expires even if the clock is set back, and a new one can be created', async () => {
  const { result: sent } = await company.send(route)
  const ask = () =>
    call(employee.id, createCrosslinks, {
      organizationId,
      signingRequestId: sent.id,
      pointId: sent.points[0]!.pointId,
    })
  const introduce = async (code: string) => {
    const url = new URL(code.slice('mobileSign:'.length)).pathname
    return (await app.inject({ url })).statusCode
  }
  const { result: crosslink } = await ask()
  const stateOf = async () =>
    (await call(employee.id, getCrosslinks, { organizationId, crosslinkId: crosslink.id })).result.state
  expect(await introduce(crosslink.code)).toBe(200)
  await clockShows(-60 * minute)
  expect([await introduce(crosslink.code), await stateOf()]).toEqual([410, 'expired'])
  expect(await introduce((await ask()).result.code)).toBe(200)
  await clockShows(60 * minute)
  expect([await introduce(crosslink.code), await stateOf()]).toEqual([410, 'expired'])
  expect(await introduce((await ask()).result.code)).toBe(200)
  await clockShows(0)
})
