// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, type FailureClass } from '../../api/api.ts'
import { button, click, fire, render } from '../../ui/testing/render.tsx'
import { WorkplaceProvider, type Workplace } from '../session/session.ts'
import { ErrorDialog } from './error-dialog.tsx'

const assign = vi.fn()
const reload = vi.fn()
const onClose = vi.fn()
let shown: Awaited<ReturnType<typeof render>> | null = null

beforeEach(() => {
  vi.spyOn(window.location, 'assign').mockImplementation(assign)
  vi.spyOn(window.location, 'reload').mockImplementation(reload)
})

afterEach(async () => {
  await shown?.unmount()
  shown = null
  vi.restoreAllMocks()
  vi.clearAllMocks()
})

async function show(
  className: FailureClass,
  alias: string,
  { parameters = {}, workplace = null }: { parameters?: object; workplace?: Workplace | null } = {},
) {
  const error = new ApiError(400, className, alias, { ...parameters }, '')
  shown = await render(
    <WorkplaceProvider value={workplace}>
      <ErrorDialog error={error} onClose={onClose} />
    </WorkplaceProvider>,
  )
  return document.querySelector<HTMLElement>('[role="dialog"]')!
}

const ways = {
  'the cross': (dialog: HTMLElement) => click(button(dialog, 'Закрыть')),
  Escape: () => fire(window.document.body, new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })),
}

test.each(
  Object.entries(ways).flatMap(([name, close]) =>
    (
      [
        ['PermissionDeniedException', 'organization-restricted'],
        ['PermissionDeniedException', 'organization-not-confirmed'],
        ['PermissionDeniedException', 'signing-request-access-failure'],
        ['CustomNotFoundException', 'group-not-found'],
        ['CustomValidationException', 'document-is-busy'],
      ] as const
    ).map(([className, alias]) => ({ name, close, className, alias })),
  ),
)('the dialog of $alias is closed by $name, and the page stays', async ({ close, className, alias }) => {
  await close(await show(className, alias))
  expect(onClose).toHaveBeenCalledOnce()
  expect(assign).not.toHaveBeenCalled()
  expect(reload).not.toHaveBeenCalled()
})

test.each([
  ['OldVersionException', 'old-version'],
  ['OrganizationsNotFoundException', 'organization-not-found'],
  ['ConcurrencyException', 'request-changed'],
] as const)('closing the dialog of %s reloads the page', async (className, alias) => {
  await ways['the cross'](await show(className, alias))
  expect(reload).toHaveBeenCalledOnce()
})

test.each([
  ['PermissionDeniedMiddlewareException', 'organization-not-yours', '/login'],
  ['PermissionDeniedException', 'not-enough-permissions', '/signingRequests/incomings'],
  ['PermissionDeniedException', 'agreement-needed', '/agreementPage/validateauth'],
] as const)('closing the dialog of %s %s leads to %s', async (className, alias, address) => {
  await ways['the cross'](await show(className, alias))
  expect(assign).toHaveBeenCalledExactlyOnceWith(address)
})

test('the dialog of an ended tariff downloads the price list and closes', async () => {
  await click(
    button(await show('PermissionDeniedException', 'organization-restricted'), 'Скачать прайс-лист'),
  )
  expect(assign).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^\/files\/price-list\.pdf\?download/))
  expect(onClose).toHaveBeenCalledOnce()
})

test('writing to the manager of an ended tariff closes the dialog', async () => {
  const dialog = await show('PermissionDeniedException', 'organization-restricted')
  await click(button(dialog, 'Написать менеджеру'))
  expect(assign).toHaveBeenCalledOnce()
  expect(onClose).toHaveBeenCalledOnce()
})

test('a changed request offers to reload the page', async () => {
  await click(button(await show('ConcurrencyException', 'request-changed'), 'Обновить'))
  expect(reload).toHaveBeenCalledOnce()
})

test('details show the parameters when they are asked for', async () => {
  const dialog = await show('CustomNotFoundException', 'document-not-found', {
    parameters: { requestId: 'abc', documentId: '42', places: [1, 2] },
  })
  const details = button(dialog, 'Подробности')
  expect(details?.getAttribute('aria-expanded')).toBe('false')
  await click(details)
  expect(details?.getAttribute('aria-expanded')).toBe('true')
  // The id of the request is shown elsewhere in the dialog.
  expect(dialog.querySelector('pre')?.textContent).toBe('documentId: 42\nplaces: [1,2]')
})

test('an error without parameters has no details', async () => {
  expect(button(await show('CustomValidationException', 'document-is-busy'), 'Подробности')).toBeUndefined()
})

test.each([
  ['a computer', 'Mozilla/5.0 (X11; Linux x86_64)', 'desktop'],
  ['a phone', 'Mozilla/5.0 (Linux; Android 15)', 'phone'],
])(
  'on %s the dialog of somebody else’s document offers to sign in by a digital signature',
  async (_, userAgent, by) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
    const dialog = await show('PermissionDeniedException', 'signing-request-access-failure')
    await click(button(dialog, 'Войти с ЭЦП'))
    expect(assign).toHaveBeenLastCalledWith(
      expect.stringMatching(new RegExp(`^/api-user/autologin\\?returnApp=.*&changeAccount=true&by=${by}$`)),
    )
    await click(button(dialog, 'Сменить учётную запись'))
    expect(assign).toHaveBeenLastCalledWith(expect.stringMatching(/&changeAccount=true$/))
  },
)

test.each([
  ['CustomNotFoundException', 'group-not-found', 'Открыть Административный портал'],
  ['PermissionDeniedException', 'organization-not-confirmed', 'Подтвердить ключом ЭЦП'],
] as const)(
  'the dialog of %s %s leads to the organisation in the portal, and back',
  async (className, alias, name) => {
    const organization = { Id: '0198a000-0000-7000-8000-000000000001' } as Workplace['organization']
    const workplace = { organization } as Workplace
    await click(button(await show(className, alias, { workplace }), name))
    expect(assign).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(new RegExp(`/portal/${organization.Id}/card\\?returnUri=%2F`)),
    )
  },
)

test('without an organisation the dialog leads to the portal, which chooses one', async () => {
  const dialog = await show('CustomNotFoundException', 'group-not-found')
  await click(button(dialog, 'Открыть Административный портал'))
  expect(assign).toHaveBeenCalledExactlyOnceWith('/portal')
})

test('the dialog of a list that the person may not see offers to sign in again', async () => {
  await click(button(await show('PermissionDeniedException', 'roles-filter'), 'Войти заново'))
  expect(assign).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^\/api-user\/autologin\?returnApp=.*&changeAccount=true$/),
  )
})
