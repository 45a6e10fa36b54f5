// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { ApiError } from '../../api/api.ts'
import { hideError, isSilent, onErrorChange, showError, shownError } from './error-store.ts'

const failure = (alias: string, status = 400) =>
  new ApiError(status, 'CustomValidationException', alias, {}, '')

afterEach(hideError)

test('an error is shown until it is hidden, and listeners are notified of both', () => {
  const heard: (string | null)[] = []
  const stop = onErrorChange(() => heard.push(shownError()?.alias ?? null))
  showError(failure('request-changed'))
  hideError()
  stop()
  showError(failure('request-changed'))
  expect(heard).toEqual(['request-changed', null])
})

test('the last error replaces the one before', () => {
  showError(failure('request-changed'))
  showError(failure('user-not-found'))
  expect(shownError()?.alias).toBe('user-not-found')
})

test('errors that a page shows beside its form are not shown', () => {
  showError(failure('unsuccessful_route_state'))
  expect(shownError()).toBeNull()
  expect(isSilent('unsuccessful_route_state')).toBe(true)
  expect(isSilent('request-changed')).toBe(false)
})

test('an ended session is not shown, because the page redirects to the sign-in service', () => {
  showError(failure('unauthorized', 401))
  expect(shownError()).toBeNull()
})
