import { expectAccessible } from './accessible.ts'
import { expect, expectNoOverflow, people, test, tulparTrade } from './fixtures.ts'
import { addPoint, rehearsalOn, unique } from './route-editor.ts'
import { sendRequest } from './requests.ts'

/** Options belong to an organisation: these journeys change only those of the second one. */
test('an owner chooses how documents are received; the choice is saved at once and stays', async ({
  pageOf,
}) => {
  const page = await pageOf(people.otherOwner, { at: '/options/counterpartypointoptions' }) // ignores case
  await expect(page.getByRole('heading', { name: 'Приём от контрагентов' })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Приём от контрагентов' })).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Сохранить' })).toHaveCount(0)
  const paused = page.getByRole('radio', { name: 'Не принимать' })
  const both = page.getByRole('radio', { name: 'И по БИН, и по точкам контрагентов' })
  const [from, to] = (await both.isChecked()) ? [both, paused] : [paused, both]
  await to.check()
  await expect(page.getByText('Сохранено')).toBeVisible()
  await page.reload()
  await expect(to).toBeChecked()
  await from.check()
  await expect(page.getByText('Сохранено')).toBeVisible()
})

test('a choice can be undone from the message, and is put back when it cannot be saved', async ({
  pageOf,
}) => {
  const page = await pageOf(people.otherOwner, { at: '/options/DocumentPrintingOptions' })
  const option = page.getByRole('switch', { name: 'Показывать дату и время подписания' })
  const wasOn = await option.isChecked()
  await option.click()
  await expect(option).toBeChecked({ checked: !wasOn })
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(page.getByText('Изменение отменено')).toBeVisible()
  await expect(option).toBeChecked({ checked: wasOn })
  await page.reload()
  await expect(option).toBeChecked({ checked: wasOn })

  const saving = /\/api\/organizations\/[^/]+\/options$/i
  await page.route(saving, (route) =>
    route.request().method() === 'POST' ? route.abort('connectionfailed') : route.fallback(),
  )
  await option.click()
  await expect(page.getByRole('dialog')).toContainText('Нет связи с сервером')
  await page.getByRole('dialog').getByRole('button', { name: 'Понятно' }).click()
  await expect(option).toBeChecked({ checked: wasOn })
})

test('the menu leads from one option to another without a question', async ({ pageOf }) => {
  const page = await pageOf(people.otherOwner, { at: '/options/NotificationSettings' })
  await expect(page.getByRole('heading', { name: 'Уведомления' })).toBeFocused()
  await page.getByRole('link', { name: 'Формат документов' }).click()
  await expect(page).toHaveURL(/DocumentExtensionPermissions/)
  await expect(page.getByRole('heading', { name: 'Формат документов' })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Формат документов' })).toBeInViewport()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Уведомления' })).toBeFocused()
})

/** Both journeys change the same options, so they run one after the other. */
test.describe.serial('rights kept for administrators', () => {
  test('rights to points kept for administrators reach the employee’s menu', async ({ pageOf }) => {
    const owner = await pageOf(people.otherOwner)
    const permission = owner.getByRole('switch', {
      name: 'Точки создают и меняют только администраторы точек',
    })
    await owner.goto('/options/PointsAndRoutesRolesPermissions')
    const rights = owner.getByRole('region', { name: 'Права на точки и маршруты' })
    await expect(rights.getByRole('link', { name: 'Открыть Административный портал' })).toHaveAttribute(
      'href',
      /\/portal\/.+\/members\?returnUri=/,
    )
    await permission.check()
    await expect(owner.getByText('Сохранено')).toBeVisible()

    const employee = await pageOf(people.otherEmployee, { at: '/points/my' })
    const menu = employee.getByRole('navigation', { name: 'Меню' })
    await expect(menu.getByRole('link', { name: 'Внутренние' })).toBeVisible()
    await expect(menu.getByRole('link', { name: 'Создать' })).toBeHidden()

    await owner.reload()
    await permission.uncheck()
    await expect(owner.getByText('Сохранено')).toBeVisible()
  })

  test('rights to routes kept for administrators: the employee reads what they cannot change', async ({
    pageOf,
  }) => {
    const name = unique('Жеткізу шарты')
    const owner = await pageOf(people.otherOwner, { at: '/signaturePointsRoutes/add' })
    await owner.getByLabel('Название').fill(name)
    await addPoint(owner, 'директор', 'Директордың қолы')
    await owner.getByRole('button', { name: 'Создать маршрут' }).click()
    await expect(owner.getByText('Маршрут создан')).toBeVisible()
    const permission = owner.getByRole('switch', {
      name: 'Маршруты создают и меняют только администраторы маршрутов',
    })
    await owner.goto('/options/PointsAndRoutesRolesPermissions')
    await permission.check()
    await expect(owner.getByText('Сохранено')).toBeVisible()

    const employee = await pageOf(people.otherEmployee, { at: '/signaturePointsRoutes/public' })
    await expect(employee.getByRole('row', { name })).toBeVisible()
    await expect(employee.getByRole('link', { name: 'Новый маршрут' })).toBeHidden()
    await employee.getByRole('link', { name, exact: true }).click()
    await expect(rehearsalOn(employee)).toContainText(
      'Басшылық — подпишет любой из группы ключом организации',
    )
    await expect(employee.getByLabel('Название')).toBeHidden()
    await expectAccessible(employee)
    await employee.goto('/signaturePointsRoutes/add')
    await expect(employee.getByRole('heading', { name: 'Недостаточно прав' })).toBeVisible()

    await owner.reload()
    await permission.uncheck()
    await expect(owner.getByText('Сохранено')).toBeVisible()
  })
})

test('the notification settings belong to one person alone', async ({ pageOf }) => {
  const page = await pageOf(people.otherEmployee, { at: '/options/NotificationSettings' })
  const comment = page.getByRole('radiogroup', { name: 'Новый комментарий' })
  const wanted = (await comment.getByLabel('Раз в день').isChecked()) ? 'Сразу' : 'Раз в день'
  await comment.getByLabel(wanted).check()
  await expect(page.getByText('Сохранено')).toBeVisible()
  await page.reload()
  await expect(comment.getByLabel(wanted)).toBeChecked()

  const other = await pageOf(people.pointsAdministrator, { at: '/options/NotificationSettings' })
  await expect(other.getByRole('radiogroup', { name: 'Новый комментарий' }).getByLabel('Сразу')).toBeChecked()
})

test('a person chooses the group of quick send among their own; in no group they are told whom to ask', async ({
  pageOf,
}) => {
  const page = await pageOf(people.pointsAdministrator, { at: '/options/groups' })
  await expect(page.getByRole('radio', { name: 'Руководство' })).toBeHidden()
  const lawyers = page.getByRole('radio', { name: 'Юристы' })
  if (await lawyers.isChecked()) await page.getByRole('radio', { name: 'Не выбрана' }).check()
  await lawyers.check()
  await expect(page.getByText('Сохранено')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Юристы' })).toBeChecked()

  const alone = await pageOf(people.individual, { at: '/options/groups' })
  await expect(alone.getByText('Вы не состоите ни в одной группе')).toBeVisible()
  const groups = alone.getByRole('region', { name: 'Группа быстрой отправки' })
  await groups.getByRole('link', { name: 'Открыть Административный портал' }).click()
  await expect(alone.getByRole('heading', { name: 'Группы', exact: true })).toBeVisible()
})

test('an absent person names a substitute, who finds what waits and acts; both names are recorded', async ({
  pageOf,
  callerOf,
}) => {
  const away = await callerOf(people.otherOwner, { language: 'ru' })
  const { address, name } = await sendRequest(away, [
    { type: 'InternalApprove', name: 'Директор', group: 'Басшылық' },
  ])
  await away.goto('/options/Substitution')
  const substitution = away.getByRole('row', { name: people.otherEmployee }).first()
  const end = async () => {
    await away.getByRole('button', { name: 'Завершить' }).click()
    await away.getByRole('dialog').getByRole('button', { name: 'Завершить' }).click()
    await expect(away.getByRole('button', { name: 'Завершить' })).toHaveCount(0)
  }
  await expect(away.getByRole('button', { name: 'Назвать заместителя' })).toBeVisible()
  await expect(
    away.getByRole('row').nth(1).or(away.getByText('Вы никого не замещаете, и вас никто не замещает')),
  ).toBeVisible()
  // A first attempt that failed may have left a substitution.
  if (await away.getByRole('button', { name: 'Завершить' }).isVisible()) await end()
  await away.getByRole('button', { name: 'Назвать заместителя' }).click()
  const dialog = away.getByRole('dialog', { name: 'Кто действует вместо вас' })
  await dialog.getByRole('button', { name: 'Назвать заместителя' }).click()
  await expect(dialog.getByText('Обязательное поле').first()).toBeVisible()
  const colleague = dialog.getByRole('combobox', { name: 'Заместитель' })
  await colleague.fill('мария')
  await expect(away.getByRole('option')).toHaveText([people.otherEmployee])
  await colleague.press('ArrowDown')
  await colleague.press('Enter')
  await dialog.getByLabel('По какой день').fill('01012020')
  await dialog.getByRole('button', { name: 'Назвать заместителя' }).click()
  await expect(dialog.getByText('Проверьте дни', { exact: false })).toBeVisible()
  await expectAccessible(away)
  await dialog.getByLabel('По какой день').fill(await dialog.getByLabel('С какого дня').inputValue())
  await dialog.getByRole('button', { name: 'Назвать заместителя' }).click()
  await expect(substitution).toContainText('Идёт')

  // A request that waits for the absent owner shows in whose place; the substitute's own requests show nothing like
  // it.
  const list = await pageOf(people.otherEmployee, { language: 'ru' })
  const row = list.getByRole('row', { name })
  await expect(row).toContainText(`вместо: ${people.otherOwner}`)
  await expectAccessible(list)
  await list.setViewportSize({ width: 375, height: 800 })
  await expect(list.getByText(`вместо: ${people.otherOwner}`).first()).toBeVisible()
  const cutStatuses = () =>
    list
      .locator('td[data-card=status]')
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length)
  await expect.poll(cutStatuses).toBe(0)
  await expectNoOverflow(list)

  const page = await pageOf(people.otherEmployee, {
    language: 'ru',
    width: 375,
    at: address.replace('outgoings', 'incomings'),
  })
  await expect(page.getByText(`Вы действуете вместо: ${people.otherOwner}`)).toBeVisible()
  await page.getByRole('button', { name: 'Согласовать' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Согласовать' }).click()
  await expect(
    page.getByText(`${people.otherEmployee} (вместо: ${people.otherOwner})`, { exact: false }).first(),
  ).toBeVisible()

  await end()
  await expect(substitution).toContainText('Завершено досрочно')
})

test('only owners see the options of the organisation; the page of an unknown option does not exist', async ({
  pageOf,
}) => {
  const page = await pageOf(people.otherEmployee)
  await expect(page.getByRole('button', { name: `Организация: ${tulparTrade}` })).toBeVisible()
  await page.goto('/options/NotificationSettings')
  await expect(page.getByRole('heading', { name: 'Только для вас' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Для всей организации' })).toHaveCount(0)
  await page.goto('/options/quicksend')
  await expect(page.getByRole('heading', { name: 'Недостаточно прав' })).toBeVisible()
  await page.goto('/options/nonsense')
  await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible()
})

for (const [language, width] of [
  ['kk', 375],
  ['en', 1440],
] as const) {
  test(`every option fits ${width} px and is accessible (${language})`, async ({ pageOf }) => {
    const page = await pageOf(people.owner, {
      language,
      width,
      at: '/options/DocumentGenerationReportOptions',
    })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('heading', { level: 3 })).toHaveCount(10)
    await expect(page.getByRole('switch').last()).toBeInViewport()
    await expectAccessible(page)
    await expectNoOverflow(page)
  })
}
