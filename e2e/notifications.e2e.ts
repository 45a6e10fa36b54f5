/** People are notified of what happens to their documents: under the bell, by e-mail, and as they chose. */
import { saveNotificationSettings } from '@kelisim/domain/options/contract.ts'
import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'
import { callFrom, organizationOf, sendRequest } from './requests.ts'

const accountants = { type: 'InternalApprove', name: 'Согласование', group: 'Бухгалтерия' } as const

test('the bell notifies people who are asked without a reload, and leads to the document', async ({
  pageOf,
  callerOf,
}) => {
  const asked = await pageOf(people.pointsAdministrator)
  const bell = asked.getByRole('button', { name: /^Уведомления/ })
  await bell.click()
  await expect(asked.getByRole('heading', { name: 'Уведомления' })).toBeVisible()

  const author = await callerOf(people.owner)
  const { name } = await sendRequest(author, [accountants])
  const line = asked.getByRole('link', { name: new RegExp(`На согласование.*${name}`) })
  await expect(line.getByRole('img', { name: 'Новое' })).toBeVisible()
  await expect(bell).toHaveAccessibleName(/: \d+ нов/)
  await expectAccessible(asked)
  await line.click()
  await expect(asked.getByRole('heading', { level: 1, name })).toBeVisible()
  // Once seen, it is no longer new.
  await bell.click()
  await expect(line).toBeVisible()
  await expect(line.getByRole('img', { name: 'Новое' })).toBeHidden()
})

test('an e-mail opens the document after signing in; the sender sees that it was sent, and sends a reminder', async ({
  callerOf,
  stranger,
  linkInEmail,
}) => {
  const author = await callerOf(people.owner)
  const { name, address } = await sendRequest(author, [accountants])
  const link = await linkInEmail('gulnar@altyn-dala.example', new RegExp(name))
  const reader = await stranger()
  await reader.goto(link)
  await reader.getByRole('button', { name: people.pointsAdministrator }).click()
  await expect(reader.getByRole('heading', { level: 1, name })).toBeVisible()

  await author.goto(address)
  const emails = author.getByRole('list', { name: 'Кому сообщено' })
  await expect(emails.getByTitle('gulnar@altyn-dala.example')).toBeVisible()
  // The step lists the e-mails by which its people were notified.
  await author.getByRole('button', { name: /^Подробнее: / }).click()
  const ofStep = author.getByRole('list', { name: /^Письма: / })
  await expect(ofStep.getByTitle('gulnar@altyn-dala.example')).toBeVisible()
  await author.getByRole('button', { name: 'Напомнить' }).click()
  await expect(emails.getByText(/Напоминание · /).first()).toBeVisible()
  await expect(author.getByRole('button', { name: 'Напомнить' })).toBeHidden()
})

test('people who want no e-mails get none, and may choose so from the e-mail itself', async ({
  pageOf,
  callerOf,
  stranger,
  request,
}) => {
  const asked = await pageOf(people.routesAdministrator)
  const organizationId = organizationOf(asked)
  const author = await callerOf(people.owner)
  const step = { type: 'InternalApprove', name: 'Согласование', group: 'Юристы' } as const
  const emailsNow = async () => {
    const answer = await request.get('/api/demo/mails/0/20?recipient=yerlan@altyn-dala.example')
    return ((await answer.json()) as { items: { id: string; subject: string }[] }).items
  }
  const settings = [{ kind: 'request-for-me' as const, mode: 'at-once' as const }]
  const wantEmails = () => callFrom(asked, saveNotificationSettings, { organizationId, settings })
  await wantEmails()
  const first = await sendRequest(author, [step])
  await expect(async () => {
    expect((await emailsNow())[0]?.subject).toContain(first.name)
  }).toPass()
  const [email] = await emailsNow()
  const { text } = (await (await request.get(`/api/demo/mails/${email!.id}`)).json()) as { text: string }
  const page = await stranger()
  await page.goto(/https?:\S+\/unsubscribe\/\S+/.exec(text)![0])
  await page.getByRole('button', { name: 'Не присылать' }).click()
  await expect(page.getByRole('button', { name: 'Присылать снова' })).toBeVisible()

  const second = await sendRequest(author, [step])
  // The request is under the bell, so all its notifications have been processed.
  await asked.getByRole('button', { name: /^Уведомления/ }).click()
  await expect(asked.getByRole('link', { name: new RegExp(`На согласование.*${second.name}`) })).toBeVisible()
  expect((await emailsNow()).some(({ subject }) => subject.includes(second.name))).toBe(false)
  await wantEmails()
})
