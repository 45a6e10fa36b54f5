/**
 * The link in an e-mail to somebody without an account repeats what the e-mail said; the id of the request alone
 * reveals nothing.
 */
import { expect, test } from 'vitest'
import { emptyId } from '@kelisim/domain/fields.ts'
import { getRequest } from '@kelisim/domain/requests/contract.ts'
import { openByLetter } from '@kelisim/domain/requests/entry-contract.ts'
import { newId } from '@kelisim/db/id.ts'
import { actingIn } from '../requests/core/testing-requests.ts'
import { aliasOf } from '../routes/testing-routes.ts'
import { startNotificationsApp } from './testing-notifications.ts'

const app = await startNotificationsApp()
const { call, make, database, deliverAll, emailsTo } = app
const { signAt, act } = actingIn(app)
const company = await app.company()
const { organizationId, colleague } = company
const number = '880340300123'
await database.write((tx) =>
  tx
    .updateTable('organizations')
    .set({ confirmedAt: app.time.now })
    .where('id', '=', organizationId)
    .execute(),
)
const route = await company.route(
  await company.point('CompanyInternalSign'),
  await company.point('ExternalSign', {
    groupId: null,
    bin: number,
    organizationName: 'ТОО «Другие»',
    emails: ['deals@other.kz'],
  }),
)

async function written() {
  const { result: sent } = await company.send(route)
  await signAt({ id: colleague, organizationId }, sent, 'CompanyInternalSign', company.stamp)
  await deliverAll()
  const { text } = (await emailsTo('deals@other.kz')).at(-1)!
  const url = new URL(/https?:\/\/\S+redirect\S+/.exec(text)![0])
  return { sent, url, letter: new URLSearchParams(url.hash.slice(1)).get('letter')! }
}

const open = (signingRequestId: string, letter: string) =>
  call(null, openByLetter, { signingRequestId, letter })

test('the link of an e-mail shows who asks for what, and nothing else', async () => {
  const { sent, url, letter } = await written()
  expect([url.pathname, url.search]).toEqual([`/signingRequests/redirect/${sent.id}`, `?number=${number}`])
  const { status, result } = await open(sent.id, letter)
  expect(status).toBe(200)
  expect(result).toEqual({
    name: 'Договор поставки',
    organization: {
      shortName: sent.organization.shortName,
      bin: company.bin,
      confirmedAt: expect.any(String),
    },
    number,
    asks: 'sign',
  })
  // The link signs nobody in.
  const attempt = await call(null, getRequest, { organizationId: emptyId, signingRequestId: sent.id })
  expect(aliasOf(attempt)).toBe('not-signed-in')
})

test('after the answer the link shows that nothing is asked any more', async () => {
  const { sent, letter } = await written()
  const outsider = { id: await make.outsider('900101300017', number) }
  expect((await act(outsider, sent, 'ExternalSign', 'reject', { comment: 'Нет' })).status).toBe(200)
  expect((await open(sent.id, letter)).result).toMatchObject({ asks: null })
})

test('an id without its own link shows nothing, whether the request exists or not', async () => {
  const [one, other] = [await written(), await written()]
  const forged = Buffer.from(one.letter, 'base64url')
  forged[forged.length - 1]! ^= 1
  const attempts = [
    [one.sent.id, ''],
    [one.sent.id, 'x'.repeat(80)],
    [one.sent.id, other.letter],
    [one.sent.id, forged.toString('base64url')],
    [newId(), one.letter],
  ] as const
  for (const [id, letter] of attempts) expect(aliasOf(await open(id, letter))).toBe('access-denied')
})
