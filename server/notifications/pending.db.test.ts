/** Which pending events a delivery takes. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { takePendingEvents } from './queries/delivery.ts'
import { startNotificationsApp } from './testing-notifications.ts'

const { company: makeCompany, database } = await startNotificationsApp()
const company = await makeCompany()
const route = await company.route(await company.point('CompanyInternalSign'))

test('one at a time, also where the database believes that there is only one', async () => {
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
  // With one row it is cheapest to look for the next one beside each row, and that finds another one each time.
  await database.write((tx) => sql`analyze untold_events`.execute(tx))
  await add(2, 3)
  expect(await database.write(takePendingEvents)).toMatchObject({ firstNumber: 1 })
  expect(await database.write(takePendingEvents)).toMatchObject({ firstNumber: 2 })
  expect(await database.write(takePendingEvents)).toMatchObject({ firstNumber: 3 })
  expect(await database.write(takePendingEvents)).toBeUndefined()
})
