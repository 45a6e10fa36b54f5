import { altynDala, expect, people, test, tulparTrade } from './fixtures.ts'

test('the organisation is taken from the query, otherwise the one remembered for the login, otherwise the first', async ({
  pageOf,
}) => {
  const page = await pageOf(people.inTwo)
  const picker = page.getByRole('button', { name: /^Организация:/ })
  await expect(picker).toHaveAccessibleName(new RegExp(`Организация: ${tulparTrade} `)) // the first by name
  await picker.click()
  await page.getByRole('menuitem', { name: altynDala }).click()
  await expect(picker).toHaveAccessibleName(new RegExp(`Организация: ${altynDala} `))
  const altynId = new URL(page.url()).searchParams.get('organizationId')!

  await page.goto('/documents/my') // the organisation is remembered
  await expect(picker).toHaveAccessibleName(new RegExp(`Организация: ${altynDala} `))

  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies({ name: /^organization_/ })
  await page.goto(`/documents/my?organizationId=${altynId}`) // the organisation of the query
  await expect(picker).toHaveAccessibleName(new RegExp(`Организация: ${altynDala} `))

  await page.goto('/documents/my?organizationId=00000000-0000-0000-0000-000000000000') // unknown: the remembered one
  await expect(picker).toHaveAccessibleName(new RegExp(`Организация: ${altynDala} `))
})

test('two tabs work in two organisations', async ({ pageOf }) => {
  const first = await pageOf(people.inTwo)
  await first.getByRole('button', { name: /^Организация:/ }).click()
  await first.getByRole('menuitem', { name: altynDala }).click()
  await expect(first.getByRole('button', { name: `Организация: ${altynDala}` })).toBeVisible()
  const second = await first.context().newPage()
  await second.goto('/signingRequests/incomings')
  await second.getByRole('button', { name: /^Организация:/ }).click()
  await second.getByRole('menuitem', { name: tulparTrade }).click()
  await expect(second.getByRole('button', { name: `Организация: ${tulparTrade}` })).toBeVisible()

  await first.getByRole('link', { name: 'Исходящие' }).click()
  await expect(first.getByRole('heading', { name: 'Исходящие' })).toBeVisible()
  await expect(first.getByRole('button', { name: `Организация: ${altynDala}` })).toBeVisible()
  await first.reload()
  await expect(first.getByRole('button', { name: `Организация: ${altynDala}` })).toBeVisible()

  await first.getByRole('link', { name: 'Келісім' }).first().click()
  await expect(first).toHaveURL(/\/today/)
  await expect(first.getByRole('button', { name: `Организация: ${altynDala}` })).toBeVisible()
  await first.keyboard.press('Control+k')
  await first.getByRole('combobox').fill('Входящие')
  await first.keyboard.press('Enter')
  await expect(first.getByRole('heading', { name: 'Входящие' })).toBeVisible()
  await expect(first.getByRole('button', { name: `Организация: ${altynDala}` })).toBeVisible()
  await first.goto('/documents/my') // an address without an organisation, typed or from an e-mail
  await expect(first.getByRole('button', { name: `Организация: ${altynDala}` })).toBeVisible()
})

test('switching the organisation on an add page asks first and leads to the matching list', async ({
  pageOf,
}) => {
  const page = await pageOf(people.inTwo, { at: '/points/add' })
  await page.getByRole('button', { name: /^Организация:/ }).click()
  await page.getByRole('menuitem', { name: altynDala }).click()
  const question = page.getByRole('dialog', { name: 'Сменить организацию?' })
  await question.getByRole('button', { name: 'Отмена' }).click()
  await expect(page).toHaveURL(/\/points\/add/)
  await page.getByRole('button', { name: /^Организация:/ }).click()
  await page.getByRole('menuitem', { name: altynDala }).click()
  await question.getByRole('button', { name: 'Сменить' }).click()
  await expect(page).toHaveURL(/\/points\/my/)
  await expect(page.getByRole('button', { name: `Организация: ${altynDala}` })).toBeVisible()
})

test('a call for a foreign organisation is refused as not yours', async ({ pageOf }) => {
  const owner = await pageOf(people.otherOwner)
  const foreignId = new URL(owner.url()).searchParams.get('organizationId')!
  const page = await pageOf(people.individual)
  const answer = await page.request.get(`/api/Organizations/${foreignId}/options`)
  expect(answer.status()).toBe(403)
  expect(await answer.json()).toMatchObject({
    ClassName: 'PermissionDeniedMiddlewareException',
    ExceptionData: { Alias: 'organization-not-yours' },
    Message: 'Вы не состоите в этой организации. Выберите другую или попросите её владельца пригласить вас',
  })
})
