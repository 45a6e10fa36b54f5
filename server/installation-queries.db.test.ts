import { expect, test } from 'vitest'
import { testDatabase } from '@kelisim/db/testing.ts'
import { claimInstallation } from './installation-queries.ts'

test('a database of a demo cannot be opened in production mode', async () => {
  const { database } = await testDatabase()
  await claimInstallation(database, 'demo')
  await claimInstallation(database, 'demo')
  await expect(claimInstallation(database, 'production')).rejects.toThrow('serves as demo')
})

test('several processes that start at once claim the same mode', async () => {
  const { database } = await testDatabase()
  await Promise.all(Array.from({ length: 5 }, () => claimInstallation(database, 'production')))
  await expect(claimInstallation(database, 'demo')).rejects.toThrow('serves as production')
})
