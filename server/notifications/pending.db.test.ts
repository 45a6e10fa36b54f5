/** Which pending events a delivery takes. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { takePendingEvents } from './queries/delivery.ts'
import { startNotificationsApp } from './testing-notifications.ts'

const { company: makeCompany, database } = await startNotificationsApp()
const company = await makeCompany()
const route = await company.route(await company.point('CompanyInternalSign'))

test('pending events are taken one at a time, also if the planner expects a single row', async () => {
  const { result } = await company.send(route)
  const add = (...numbers: number[]) =>
    database.write((tx) =>
      tx
        .insertInto('untoldEvents')
        .values(
          numbers.map((firstNumber) => ({
            requestId: result.id,
            firstNumber,
            lastNumber: firstNumber,
            at: new Date(firstNumber),
          })),
        )
        .execute(),
    )
  await database.write((tx) => tx.deleteFrom('untoldEvents').execute())
  await add(1)
  // With statistics of one row, the planner would choose the next row anew beside each row, and find another one each
  // time.
  await database.write((tx) => sql`analyze untold_events`.execute(tx))
  await add(2, 3)
  expect(await database.write(takePendingEvents)).toMatchObject({ firstNumber: 1 })
  expect(await database.write(takePendingEvents)).toMatchObject({ firstNumber: 2 })
  expect(await database.write(takePendingEvents)).toMatchObject({ firstNumber: 3 })
  expect(await database.write(takePendingEvents)).toBeUndefined()
})
