// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rememberedOrganization, rememberOrganization } from './session.ts'

const key = 'organization_aigerim%40example.kz'
const login = 'aigerim@example.kz'

const forget = () => {
  for (const name of [key, 'organization_daniyar'])
    document.cookie = `${name}=; path=/; expires=${new Date(0).toUTCString()}`
  localStorage.clear()
  sessionStorage.clear()
}
beforeEach(forget)
afterEach(() => {
  forget()
  vi.restoreAllMocks()
})

test('the chosen organisation is kept for a year in a cookie of the login, and in local storage', () => {
  const written = vi.spyOn(document, 'cookie', 'set')
  rememberOrganization(login, 'one')
  expect(written).toHaveBeenCalledExactlyOnceWith(`${key}=one; path=/; max-age=31536000; samesite=lax`)
  expect(localStorage.getItem(key)).toBe('one')
})

test('the chosen organisation is remembered by the cookie alone', () => {
  rememberOrganization(login, 'one')
  localStorage.clear()
  sessionStorage.clear()
  expect(rememberedOrganization(login)).toBe('one')
})

test('the chosen organisation is remembered by local storage alone', () => {
  rememberOrganization(login, 'one')
  sessionStorage.clear()
  document.cookie = `${key}=; path=/; expires=${new Date(0).toUTCString()}`
  expect(document.cookie).not.toContain(key)
  expect(rememberedOrganization(login)).toBe('one')
})

test('another person in the same browser has a choice of their own', () => {
  rememberOrganization(login, 'one')
  expect(rememberedOrganization('daniyar')).toBeUndefined()
  rememberOrganization('daniyar', 'two')
  expect([rememberedOrganization(login), rememberedOrganization('daniyar')]).toEqual(['one', 'two'])
})

test('a tab stays in its organisation, whatever another tab has chosen since', () => {
  rememberOrganization(login, 'one')
  document.cookie = `${key}=two; path=/`
  localStorage.setItem(key, 'two')
  expect(rememberedOrganization(login)).toBe('one')
})
