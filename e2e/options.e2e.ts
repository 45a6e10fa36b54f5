import { expect, expectAccessible, expectNoOverflow, people, test, tulparTrade } from './fixtures.ts'
import { addPoint, rehearsalOn, unique } from './route-editor.ts'
import { sendRequest } from './requests.ts'

/** Options belong to an organisation: these journeys change only those of the second one. */
test('an owner decides how documents come in; the choice is saved once and stays', async ({ pageOf }) => {
  const page = await pageOf(people.otherOwner, { at: '/options/counterpartypointoptions' }) // upper and lower case are equal
  await expect(page.getByRole('heading', { name: 'Приём от контрагентов' })).toBeVisible()
  const save = page.getByRole('button', { name: 'Сохранить' })
  await expect(save).toBeDisabled()
  const paused = page.getByRole('radio', { name: 'Не принимать' })
  const both = page.getByRole('radio', { name: 'И по БИН, и по точкам контрагентов' })
  const [from, to] = (await both.isChecked()) ? [both, paused] : [paused, both]
  await to.check()
  await save.click()
  await expect(page.getByText('Сохранено')).toBeVisible()
  await expect(save).toBeDisabled()
  await page.reload()
  await expect(to).toBeChecked()
  await from.check()
  await save.click()
  await expect(save).toBeDisabled()
})

test('leaving an option unsaved asks first', async ({ pageOf }) => {
  const page = await pageOf(people.otherOwner, { at: '/options/DocumentPrintingOptions' })
  await page.getByRole('switch', { name: 'Показывать дату и время подписания' }).click()
  await page.getByRole('link', { name: 'Формат документов' }).click()
  await page
    .getByRole('dialog', { name: 'Уйти без сохранения?' })
    .getByRole('button', { name: 'Уйти' })
    .click()
  await expect(page.getByRole('heading', { name: 'Формат документов' })).toBeVisible()
  await page.getByRole('link', { name: 'Печать документа' }).click()
  await expect(page.getByRole('button', { name: 'Сохранить' })).toBeDisabled()
})

/** Both change the same options, so they run one after the other. */
test.describe.serial('rights kept for administrators', () => {
  test('rights to points kept for administrators reach the employee’s menu', async ({ pageOf }) => {
    const owner = await pageOf(people.otherOwner)
    const permission = owner.getByRole('switch', {
      name: 'Точки создают и меняют только администраторы точек',
    })
    await owner.goto('/options/PointsAndRoutesRolesPermissions')
    await expect(owner.getByRole('link', { name: 'Открыть Административный портал' })).toHaveAttribute(
      'href',
      /\/portal\/.+\/members\?returnUri=/,
    )
    await permission.check()
    await owner.getByRole('button', { name: 'Сохранить' }).click()
    await expect(owner.getByText('Сохранено')).toBeVisible()

    const employee = await pageOf(people.otherEmployee, { at: '/points/my' })
    const menu = employee.getByRole('navigation', { name: 'Меню' })
    await expect(menu.getByRole('link', { name: 'Внутренние' })).toBeVisible()
    await expect(menu.getByRole('link', { name: 'Создать' })).toBeHidden()

    await permission.uncheck()
    await owner.getByRole('button', { name: 'Сохранить' }).click()
    await expect(owner.getByRole('button', { name: 'Сохранить' })).toBeDisabled()
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
    await owner.getByRole('button', { name: 'Сохранить' }).click()
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
    await expect(employee.getByRole('heading', { name: 'Страница не существует' })).toBeVisible()

    await permission.uncheck()
    await owner.getByRole('button', { name: 'Сохранить' }).click()
    await expect(owner.getByRole('button', { name: 'Сохранить' })).toBeDisabled()
  })
})

test('what a person is told about is theirs alone', async ({ pageOf }) => {
  const page = await pageOf(people.otherEmployee, { at: '/options/NotificationSettings' })
  const comment = page.getByRole('radiogroup', { name: 'Новый комментарий' })
  await comment.getByLabel('Раз в день').check()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Сохранено')).toBeVisible()
  await page.reload()
  await expect(comment.getByLabel('Раз в день')).toBeChecked()

  const other = await pageOf(people.pointsAdministrator, { at: '/options/NotificationSettings' })
  await expect(other.getByRole('radiogroup', { name: 'Новый комментарий' }).getByLabel('Сразу')).toBeChecked()
})

test('a person chooses the group of quick send among their own; in no group they are told whom to ask', async ({
  pageOf,
}) => {
  const page = await pageOf(people.pointsAdministrator, { at: '/options/groups' })
  await expect(page.getByRole('radio', { name: 'Руководство' })).toBeHidden()
  await page.getByRole('radio', { name: 'Юристы' }).check()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Сохранено')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Юристы' })).toBeChecked()

  const alone = await pageOf(people.individual, { at: '/options/groups' })
  await expect(alone.getByText('Вы не состоите ни в одной группе')).toBeVisible()
  await alone.getByRole('link', { name: 'Открыть Административный портал' }).click()
  await expect(alone.getByRole('heading', { name: 'Группы', exact: true })).toBeVisible()
})

test('who is away names a colleague, who finds what waits and acts; both names stay', async ({ pageOf }) => {
  const away = await pageOf(people.otherOwner, { language: 'ru' })
  const { address, name } = await sendRequest(away, [
    { type: 'InternalApprove', name: 'Директор', group: 'Басшылық' },
  ])
  await away.goto('/options/Substitution')
  await away.getByRole('button', { name: 'Назвать заместителя' }).click()
  const dialog = away.getByRole('dialog', { name: 'Кто действует вместо вас' })
  await dialog.getByRole('button', { name: 'Назвать заместителя' }).click()
  await expect(dialog.getByText('Обязательное поле').first()).toBeVisible()
  const colleague = dialog.getByRole('combobox', { name: 'Заместитель' })
  await colleague.fill('мария')
  await expect(away.getByRole('option', { name: people.otherEmployee })).toBeVisible()
  await colleague.press('ArrowDown')
  await colleague.press('Enter')
  await dialog.getByLabel('По какой день').fill('01012020')
  await dialog.getByRole('button', { name: 'Назвать заместителя' }).click()
  await expect(dialog.getByText('Проверьте дни', { exact: false })).toBeVisible()
  await expectAccessible(away)
  await dialog.getByLabel('По какой день').fill(await dialog.getByLabel('С какого дня').inputValue())
  await dialog.getByRole('button', { name: 'Назвать заместителя' }).click()
  await expect(away.getByRole('row', { name: people.otherEmployee })).toContainText('Идёт')

  // What waits says in whose place; what is the substitute's own says nothing of the kind.
  const list = await pageOf(people.otherEmployee, { language: 'ru' })
  const row = list.getByRole('row', { name })
  await expect(row).toContainText(`вместо: ${people.otherOwner}`)
  await expectAccessible(list)
  await list.setViewportSize({ width: 375, height: 800 })
  await expect(list.getByText(`вместо: ${people.otherOwner}`).first()).toBeVisible()
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

  await away.getByRole('button', { name: 'Завершить' }).click()
  await away.getByRole('dialog').getByRole('button', { name: 'Завершить' }).click()
  await expect(away.getByRole('row', { name: people.otherEmployee })).toContainText('Завершено досрочно')
})

test('options of the organisation are its owner’s; an unknown option is a page that is not there', async ({
  pageOf,
}) => {
  const page = await pageOf(people.otherEmployee)
  await expect(page.getByRole('button', { name: `Организация: ${tulparTrade}` })).toBeVisible()
  await page.goto('/options/quicksend')
  await expect(page.getByRole('heading', { name: 'Недостаточно прав' })).toBeVisible()
  await page.goto('/options/nonsense')
  await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible()
})

const optionPages = [
  'NotificationSettings',
  'groups',
  'quicksend',
  'PointsAndRoutesRolesPermissions',
  'DocumentPrintingOptions',
  'DocumentExtensionPermissions',
  'CounterPartyPointOptions',
  'DocumentGenerationReportOptions',
]
for (const [language, width] of [
  ['kk', 375],
  ['en', 1440],
] as const) {
  test(`every option fits ${width} px and is accessible (${language})`, async ({ pageOf }) => {
    const page = await pageOf(people.owner, { language, width })
    for (const name of optionPages) {
      await page.goto(`/options/${name}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('radio').or(page.getByRole('switch')).first()).toBeVisible()
      await expectAccessible(page)
      await expectNoOverflow(page)
    }
  })
}
