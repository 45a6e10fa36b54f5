/** What people without an account find by the number that their key has proved. */
import { expect, test } from 'vitest'
import { getInbox } from '@kelisim/domain/requests/entry-contract.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp } from '../core/testing-requests.ts'

const testApp = await startRequestsApp()
const { call, make, time, travel } = testApp
const { act, look } = actingIn(testApp)
const sender = await testApp.company()
const [bin, iin] = ['880340300123', '900101300017']
const toBin = await sender.route(await sender.point('ExternalSign', { bin, emails: ['a@example.kz'] }))
const toIin = await sender.route(await sender.point('ExternalSign', { bin: iin, emails: ['b@example.kz'] }))
const toOther = await sender.route(
  await sender.point('ExternalSign', { bin: '880340300999', emails: ['c@example.kz'] }),
)
const person = { id: await make.outsider(iin, bin) }
const inbox = async (id: string, skip = 0, take = 10) => (await call(id, getInbox, { skip, take })).result

test('the inbox of a person lists requests to their IIN and BIN, waiting ones first, page by page', async () => {
  const { result: first } = await sender.send(toBin, { name: 'Первый' })
  await travel(new Date(time.now.getTime() + 1000))
  await sender.send(toIin, { name: 'Второй' })
  await travel(new Date(time.now.getTime() + 1000))
  const { result: third } = await sender.send(toBin, { name: 'Третий' })
  await sender.send(toOther, { name: 'Чужой' })
  const seen = (await look(person, third.id)).result
  expect((await act(person, seen, 'ExternalSign', 'reject', { comment: 'Нет' })).status).toBe(200)

  const { items, totalCount } = await inbox(person.id)
  expect(items.map(({ name, isWaiting }) => [name, isWaiting])).toEqual([
    ['Второй', true],
    ['Первый', true],
    ['Третий', false],
  ])
  expect(totalCount).toBe(3)
  expect(items[1]).toMatchObject({ id: first.id, organization: { bin: sender.bin } })
  const pages = [await inbox(person.id, 0, 2), await inbox(person.id, 2, 2)]
  expect(pages.map((page) => page.items.map(({ name }) => name))).toEqual([['Второй', 'Первый'], ['Третий']])
})

test('the inbox lists no requests whose turn has not come, or that went to others', async () => {
  const later = await sender.route(
    await sender.point('CompanyInternalSign'),
    await sender.point('ExternalSign', { bin: '880340300777', emails: ['d@example.kz'] }),
  )
  await sender.send(later, { name: 'Ещё не дошёл' })
  const stranger = await make.outsider('900101300025', '880340300777')
  expect(await inbox(stranger)).toEqual({ items: [], totalCount: 0 })
  expect(aliasOf(await call(null, getInbox, { skip: 0, take: 10 }))).toBe('not-signed-in')
})
