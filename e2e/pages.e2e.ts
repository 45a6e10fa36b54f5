/** Every address of the route table opens, has a title, breaks nothing and is accessible. */
import { expectNoFindings } from './accessible.ts'
import { expect, expectNoOverflow, people, test } from './fixtures.ts'

const pages: [path: string, title: string][] = [
  ['/signingRequests/incomings', 'Входящие'],
  ['/signingRequests/queue', 'По очереди'],
  ['/today', 'Сегодня'],
  ['/insight', 'Где ждут документы'],
  ['/signingRequests/outgoings', 'Исходящие'],
  ['/signingRequests/add', 'Отправить на подписание'],
  ['/signingRequests/addQuick', 'Быстрая отправка'],
  ['/signingRequests/addPackage', 'Отправить пакет документов'],
  ['/documents/my', 'Мои документы'],
  ['/documents/public', 'Общие документы'],
  ['/documents/organization', 'Документы организации'],
  ['/documents/compare', 'Сравнение документов'],
  ['/document-templates', 'Шаблоны документов'],
  ['/document-templates/new', 'Новый шаблон документа'],
  ['/points/add', 'Новая точка'],
  ['/points/my', 'Мои точки'],
  ['/points/public', 'Общие точки'],
  ['/points/organization', 'Точки организации'],
  ['/points/internal', 'Внутренние точки'],
  ['/points/external', 'Внешние точки'],
  ['/points/counterParty', 'Точки контрагентов'],
  ['/signaturePointsRoutes/add', 'Новый маршрут'],
  ['/signaturePointsRoutes/my', 'Мои маршруты'],
  ['/signaturePointsRoutes/public', 'Общие маршруты'],
  ['/signaturePointsRoutes/organization', 'Маршруты организации'],
  ['/signaturePointsRouteTemplates/add', 'Новый шаблон маршрута'],
  ['/signaturePointsRouteTemplates/my', 'Мои шаблоны маршрутов'],
  ['/signaturePointsRouteTemplates/organization', 'Шаблоны маршрутов организации'],
  ['/classificators', 'Классификаторы'],
  ['/classificators/add', 'Новый классификатор'],
  ['/frame/instruction', 'Инструкция'],
  ['/frame/price-list', 'Прайс-лист'],
  ['/developers', 'Для разработчиков'],
  ['/log', 'Журнал событий'],
  ['/campaigns', 'Ознакомления'],
  ['/campaigns/add', 'Новое ознакомление'],
  ['/journals', 'Журналы регистрации'],
  ['/journals/kinds', 'Виды документов'],
  ['/options', 'Настройки'],
  ['/options/NotificationSettings', 'Настройки'],
  ['/OPTIONS/documentprintingoptions', 'Настройки'],
  ['/login?changeAccount=true', 'Ещё одна организация'],
  ['/agreementPage', 'Соглашение об использовании'],
  ['/mailbox', 'Почта демонстрации'],
  ['/signingRequests/redirect', 'Документ для подписания'],
  ['/portal/my-groups', 'Мои группы'],
]

/** All options are on one page; each address leads to its heading. */
const optionHeadings: [string, string][] = [
  ['/options/NotificationSettings', 'Уведомления'],
  ['/options/groups', 'Группа быстрой отправки'],
  ['/options/quicksend', 'Быстрая отправка'],
  ['/options/PointsAndRoutesRolesPermissions', 'Права на точки и маршруты'],
  ['/options/DocumentPrintingOptions', 'Печать документа'],
  ['/options/DocumentExtensionPermissions', 'Формат документов'],
  ['/options/CounterPartyPointOptions', 'Приём от контрагентов'],
  ['/options/DocumentGenerationReportOptions', 'Отчёт о подписании'],
  ['/options/Substitution', 'Замещение'],
  ['/options/PersonalData', 'Мои данные'],
]

test('every address of an option leads to its heading', async ({ callerOf }) => {
  const page = await callerOf(people.owner)
  for (const [path, title] of optionHeadings) {
    await page.goto(path)
    const heading = page.getByRole('heading', { level: 3, name: title, exact: true })
    await expect(heading, path).toBeFocused()
    await expect(heading, path).toBeInViewport()
  }
})

/** Several journeys, so that both workers share them. */
const parts = 3

for (let part = 0; part < parts; part++) {
  test(`every page opens with its heading and its title, and axe finds nothing: ${part + 1} of ${parts}`, async ({
    callerOf,
  }) => {
    test.setTimeout(180_000)
    const page = await callerOf(people.owner)
    for (const [path, title] of pages.filter((_, i) => i % parts === part)) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: title }), path).toBeVisible()
      await expect(page, path).toHaveTitle(`${title} — Келісім`)
      await expectNoFindings(page)
    }
  })
}

test('the dark theme is as readable as the light one', async ({ callerOf }) => {
  test.setTimeout(120_000)
  const page = await callerOf(people.owner)
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const path of [
    '/signingRequests/incomings',
    '/points/my',
    '/options/CounterPartyPointOptions',
    '/mailbox',
    '/',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoFindings(page)
  }
})

for (const language of ['ru', 'kk'] as const) {
  test(`on a phone no page is wider than the screen: ${language}`, async ({ pageOf }) => {
    test.setTimeout(240_000)
    const page = await pageOf(people.otherOwner, { language, width: 375 })
    for (const [path] of pages) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
      await expectNoOverflow(page)
    }
  })
}

test('the page of an unknown address says so and leads back', async ({ pageOf }) => {
  const page = await pageOf(people.owner)
  await page.getByRole('link', { name: 'Исходящие' }).click()
  await expect(page.getByRole('heading', { name: 'Исходящие' })).toBeVisible()
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible()
  await expect(page).toHaveTitle('Страница не существует — Келісім')
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Назад' }).click()
  await expect(page.getByRole('heading', { name: 'Исходящие' })).toBeVisible()
})

test('the old address for outsiders leads to the page before signing in and keeps its query', async ({
  stranger,
}) => {
  const page = await stranger()
  await page.goto('/signingRequests/outsider/01a1dd39-438b-7f0a-adab-fc74ff012e96?organizationId=x')
  await expect(page).toHaveURL(
    /\/signingRequests\/redirect\/01a1dd39-438b-7f0a-adab-fc74ff012e96\?organizationId=x/,
  )
  await expect(page.getByRole('link', { name: 'Войти' })).toBeVisible()
})
