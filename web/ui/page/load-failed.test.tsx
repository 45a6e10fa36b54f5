// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, type FailureClass } from '../../api/api.ts'
import { button, click, render, texts } from '../testing/render.tsx'
import { LoadFailed } from './load-failed.tsx'

const assign = vi.fn()
const reload = vi.fn()
const onRetry = vi.fn()
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

async function show(className: FailureClass, alias: string, title?: string) {
  const error = new ApiError(400, className, alias, {}, '')
  shown = await render(<LoadFailed error={error} onRetry={onRetry} {...(title && { title })} />)
  return shown.place
}

test('if an outdated page cannot read its data, this is shown and the page can be reloaded', async () => {
  const place = await show('OldVersionException', 'old-version', 'Список не загрузился')
  expect(texts(place, 'h2')).toEqual(['Страница устарела'])
  expect(place.textContent).toContain('Сервис обновился')
  expect(button(place, 'Повторить')).toBeUndefined()
  await click(button(place, 'Продолжить'))
  expect(reload).toHaveBeenCalledOnce()
})

test('if the organisation is gone, the page can be reloaded and chooses another one', async () => {
  await click(button(await show('OrganizationsNotFoundException', 'organization-not-found'), 'Обновить'))
  expect(reload).toHaveBeenCalledOnce()
})

test.each([
  ['PermissionDeniedMiddlewareException', 'organization-not-yours', 'Продолжить', '/login'],
  ['PermissionDeniedException', 'agreement-needed', 'Продолжить', '/agreementPage/validateauth'],
  ['PermissionDeniedException', 'improper-role', 'К входящим', '/signingRequests/incomings'],
] as const)('the failure %s %s leads to another page', async (className, alias, name, address) => {
  const place = await show(className, alias)
  expect(button(place, 'Повторить')).toBeUndefined()
  await click(button(place, name))
  expect(assign).toHaveBeenCalledExactlyOnceWith(address)
})

test.each(['roles-filter', 'signing-request-access-failure'])(
  'a refusal that asks to sign in again offers it: %s',
  async (alias) => {
    const place = await show('PermissionDeniedException', alias)
    const link = [...place.querySelectorAll('a')].find((one) => one.textContent === 'Войти заново')
    expect(link?.getAttribute('href')).toMatch(/^\/api-user\/autologin\?returnApp=%2F.*&changeAccount=true$/)
  },
)

test.each([
  ['TemporaryUnavailableException', 'connection-lost'],
  ['UnforeseenException', 'unexpected-error'],
  ['CustomValidationException', 'outdated-document'],
] as const)('the failure %s can be tried again', async (className, alias) => {
  const place = await show(className, alias, 'Список не загрузился')
  expect(texts(place, 'h2')).toEqual(['Список не загрузился'])
  await click(button(place, 'Повторить'))
  expect(onRetry).toHaveBeenCalledOnce()
})
