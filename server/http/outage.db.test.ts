/** The database goes away and comes back while the server stays up. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '@kelisim/db/db.ts'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import { migrate } from '@kelisim/db/migrate.ts'
import { stopDatabaseAfterUs } from '@kelisim/db/testing-after-us.ts'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { addOrganization, getInvitation, getOrganizations } from '@kelisim/domain/identity/contract.ts'
import { someBin, startTestApp } from '../testing.ts'

const folder = temporaryFolder()
const data = join(folder, 'postgres')
// Stops the database even if no test of this file is chosen and nothing below runs.
const callOff = stopDatabaseAfterUs(data, folder)
let server = await startEmbedded(data)
await migrate(server.connection)
const database = openDatabase(server.connection, () => {})
const { app, call, make } = await startTestApp({ database })

afterAll(async () => {
  await database.close()
  server.stop()
  rmSync(folder, { recursive: true, force: true })
  callOff()
})

test('while the database is down every call is refused with the time to try again; afterwards all calls work', async () => {
  const person = await make.person()
  expect((await call(person, getOrganizations, {})).status).toBe(200)
  expect((await app.inject('/health/ready')).statusCode).toBe(200)

  server.stop()
  for (const answer of [
    await call(person, getOrganizations, {}),
    await call(person, addOrganization, { bin: someBin(1), shortName: 'A' }),
    await call(null, getInvitation, { token: 'x'.repeat(43) }),
  ]) {
    expect(answer.status).toBe(503)
    expect(answer.error).toMatchObject({
      ClassName: 'TemporaryUnavailableException',
      ExceptionData: { Alias: 'service-unavailable' },
    })
    expect(answer.headers['retry-after']).toBe('5')
  }
  expect((await app.inject('/health/ready')).statusCode).toBe(503)
  expect((await app.inject('/health/live')).statusCode).toBe(200)

  server = await startEmbedded(data)
  expect((await call(person, getOrganizations, {})).status).toBe(200)
  expect((await call(person, addOrganization, { bin: someBin(1), shortName: 'A' })).status).toBe(200)
  expect((await app.inject('/health/ready')).statusCode).toBe(200)
})
