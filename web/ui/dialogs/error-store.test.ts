// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { ApiError } from '../../api/api.ts'
import { hideError, isSilent, onErrorChange, showError, shownError } from './error-store.ts'

const failure = (alias: string, status = 400) => new ApiError(status, 'ClientException', alias, {}, '')

afterEach(hideError)

test('an error is shown until it is hidden, and listeners hear of both', () => {
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

test('what forms and editors say by themselves is not shown', () => {
  showError(failure('classificator-name-already-in-use'))
  expect(shownError()).toBeNull()
  expect(isSilent('classificator-name-already-in-use')).toBe(true)
  expect(isSilent('request-changed')).toBe(false)
})

test('a session that is over is not shown: the page is left for the sign-in service', () => {
  showError(failure('unauthorized', 401))
  expect(shownError()).toBeNull()
})
