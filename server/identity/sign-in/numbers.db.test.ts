/** Which number counts: that of the sign-in service, or the one proved in the application. */
import { expect, test } from 'vitest'
import { testDatabase } from '@kelisim/db/testing.ts'
import type { AccountClaims } from './claims.ts'
import { linkIin, saveUser } from './queries.ts'

const { database } = await testDatabase()
const now = new Date('2026-11-15T05:00:00Z')
const [a, b] = ['910203400017', '920304500028']

const signIn = (subject: string, iin: string | null, isOwnService = true) =>
  database.write((tx) => saveUser(tx, { ...claimsOf(subject), iin }, null, now, { isOwnService }))
const claimsOf = (subject: string) =>
  ({
    issuer: 'embedded',
    subject,
    login: subject,
    fullName: subject,
    email: '',
    isEmailConfirmed: false,
    language: null,
  }) as unknown as AccountClaims
const iinOf = async (id: string) =>
  (await database.db.selectFrom('users').select('iin').where('id', '=', id).executeTakeFirstOrThrow()).iin

test('an IIN proved in the application is not replaced by that of the sign-in service', async () => {
  const id = await signIn('director', null)
  expect(await database.write((tx) => linkIin(tx, id, a))).toBe(true)
  await signIn('director', b)
  expect(await iinOf(id)).toBe(a)
  await signIn('director', null)
  expect(await iinOf(id)).toBe(a)
})

test('an IIN from the embedded service is removed when it is no longer given, or another one is', async () => {
  const [c, d] = ['930405300039', '940506400040']
  const id = await signIn('victim', c)
  expect(await iinOf(id)).toBe(c)
  await signIn('victim', null)
  expect(await iinOf(id)).toBeNull()
  await signIn('victim', c)
  await signIn('victim', d)
  expect(await iinOf(id)).toBe(d)
})

test('an IIN from another service stays when it is not given any more', async () => {
  const iin = '950607500051'
  const id = await signIn('elsewhere', iin, false)
  await signIn('elsewhere', null, false)
  expect(await iinOf(id)).toBe(iin)
})
