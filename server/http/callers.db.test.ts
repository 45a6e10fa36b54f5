/** Concurrent callers are looked up by one statement, and each of them gets their own session. */
import { expect, test } from 'vitest'
import { statementsOf } from '@kelisim/db/testing-statements.ts'
import { getOptions } from '@kelisim/domain/options/contract.ts'
import { startTestApp } from '../testing.ts'

const { app, call, make, tokenOf, database } = await startTestApp()

/** Organisations that differ in an option, each with an owner who belongs to no other. */
const owners = await Promise.all(
  Array.from({ length: 40 }, async (_, i) => {
    const userId = await make.person()
    const organizationId = await make.organization(userId)
    const isOdd = i % 2 === 1
    await database.write((tx) =>
      tx
        .updateTable('organizations')
        .set({ documentsUploadPdfOnly: isOdd })
        .where('id', '=', organizationId)
        .execute(),
    )
    return { userId, organizationId, isOdd, token: await tokenOf(userId) }
  }),
)

const optionsOf = (token: string, organizationId: string) =>
  app.inject({
    method: 'GET',
    url: `/api/Organizations/${organizationId}/options`,
    headers: { cookie: `session=${token}` },
  })

test('each of many concurrent callers gets their own data, and nobody enters another organisation', async () => {
  const strange = 'a'.repeat(43)
  const calls = owners.flatMap(({ token, organizationId, isOdd }, i) => {
    const other = owners[(i + 1) % owners.length]!
    return [
      optionsOf(token, organizationId).then((answer) => {
        expect(answer.statusCode).toBe(200)
        expect(answer.json<{ documentsUploadPdfOnly: boolean }>().documentsUploadPdfOnly).toBe(isOdd)
      }),
      optionsOf(token, other.organizationId).then((answer) => expect(answer.statusCode).toBe(403)),
      optionsOf(strange, organizationId).then((answer) => expect(answer.statusCode).toBe(401)),
    ]
  })
  const statements = await statementsOf(database, () => Promise.all(calls))
  expect(statements.length).toBeLessThan(calls.length / 4)
})

test('an ended session and a former member are refused among concurrent calls that are accepted', async () => {
  const [ended, left, stays] = owners
  await database.write(async (tx) => {
    await tx.deleteFrom('sessions').where('userId', '=', ended!.userId).execute()
    await tx.deleteFrom('memberships').where('userId', '=', left!.userId).execute()
  })
  const answers = await Promise.all(
    [ended, left, stays].map((one) => optionsOf(one!.token, one!.organizationId)),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 403, 200])
})

test('concurrent calls of one person in several organisations have the rights of each', async () => {
  const userId = await make.person()
  const mine = await make.organization(userId)
  const { organizationId: foreign } = owners[5]!
  const answers = await Promise.all([
    call(userId, getOptions, { organizationId: mine }),
    call(userId, getOptions, { organizationId: foreign }),
    call(userId, getOptions, { organizationId: mine }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 403, 200])
})
