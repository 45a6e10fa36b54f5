import { expect, test } from 'vitest'
import { aliases, classOf, commonRefusals, errorBody, Refusal, refuse, statusOf } from './errors.ts'

test('a refusal is sent as the four fields of the specification', () => {
  expect(errorBody(new Refusal('last-owner', { a: 1 }), 'Message')).toEqual({
    ClassName: 'CustomValidationException',
    Type: 'Conflict',
    ExceptionData: { Alias: 'last-owner', Parameters: { a: 1 } },
    Message: 'Message',
  })
})

test('every class has a fitting status', () => {
  const fitting: Record<ReturnType<typeof classOf>, number[]> = {
    CustomValidationException: [400, 409],
    UnauthorizedMiddlewareException: [401],
    PermissionDeniedException: [403],
    PermissionDeniedMiddlewareException: [403],
    CustomNotFoundException: [404],
    OrganizationsNotFoundException: [404],
    ConcurrencyException: [409],
    TemporaryUnavailableException: [503],
    HttpException: [404, 408, 413, 415, 416, 423, 429, 504],
    UnforeseenException: [500],
  }
  for (const alias of aliases) expect(fitting[classOf(alias)], alias).toContain(statusOf(alias))
})

test('every expected status has a type of its own', () => {
  const unnamed = aliases.filter((alias) => errorBody(new Refusal(alias), '').Type === 'Unforeseen')
  expect(unnamed).toEqual(['unexpected-error'])
})

test('refuse() throws a Refusal, and every call can fail with an unexpected error', () => {
  expect(() => refuse('last-owner')).toThrow(Refusal)
  expect(commonRefusals).toContain('unexpected-error')
})
