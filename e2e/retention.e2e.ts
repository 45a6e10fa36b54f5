/** An owner says how long documents are kept, holds one for a court, and makes a package for an archive. */
import { getRetainedDocuments, liftHold } from '@kelisim/domain/retention/contract.ts'
import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'
import { callFrom, organizationOf } from './requests.ts'

test('a retention term, a hold and a package for an archive', async ({ callerOf }) => {
  const page = await callerOf(people.owner)
  const organizationId = organizationOf(page)
  // Lifts holds that an interrupted journey has left.
  const { items } = await callFrom(page, getRetainedDocuments, { organizationId, skip: 0, take: 100 })
  for (const { hold } of items) if (hold) await callFrom(page, liftHold, { organizationId, holdId: hold.id })

  await page.goto(`/portal/${organizationId}/retention`)
  await expect(page.getByRole('heading', { level: 1, name: 'Хранение документов' })).toBeVisible()
  await page.getByRole('button', { name: 'Добавить срок' }).click()
  const dialog = page.getByRole('dialog', { name: 'Новый срок хранения' })
  await dialog.getByLabel('Лет').fill('5')
  const basis = `Перечень, ст. ${crypto.randomUUID().slice(0, 8)}`
  await dialog.getByLabel('Основание').fill(basis)
  await dialog.getByRole('button', { name: 'Добавить' }).click()
  const terms = page.getByRole('table', { name: 'Сроки хранения' })
  await expect(terms.getByRole('row').filter({ hasText: basis })).toContainText('5 лет')

  const documents = page.getByRole('region', { name: 'Завершённые документы' })
  const completed = items.find(({ isSigned }) => isSigned)!
  const row = documents.getByRole('row').filter({ hasText: completed.name }).first()
  await expect(row).toContainText('Хранится')
  const download = page.waitForEvent('download')
  await row.getByRole('button', { name: `Пакет для архива: ${completed.name}` }).click()
  expect((await download).suggestedFilename()).toContain('.zip')
  await row.getByRole('button', { name: `Удержать: ${completed.name}` }).click()
  const holding = page.getByRole('dialog', { name: 'Удержать документ' })
  await holding.getByLabel('Причина').fill('Суд, дело № 5')
  await holding.getByRole('button', { name: 'Удержать' }).click()
  await expect(row).toContainText('Суд, дело № 5')
  await expectAccessible(page)
  await row.getByRole('button', { name: `Снять удержание: ${completed.name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Снять' }).click()
  await expect(row).toContainText('Хранится')
})
