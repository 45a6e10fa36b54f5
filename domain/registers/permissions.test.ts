import { expect, test } from 'vitest'
import { roles } from '../identity/roles.ts'
import { directionFor, mayKeepRegisters, mayRegister } from './permissions.ts'

const request = { organizationId: 'sender', authorId: 'author' }

test('owners and those whom they appointed may keep the registers', () => {
  const [owner, employee] = [roles.of('Employee', 'Owner'), roles.of('Employee')]
  expect(mayKeepRegisters({ roles: owner, isAppointed: false })).toBe(true)
  expect(mayKeepRegisters({ roles: employee, isAppointed: true })).toBe(true)
  expect(mayKeepRegisters({ roles: employee, isAppointed: false })).toBe(false)
})

test('a document is outgoing for its sender only', () => {
  expect(directionFor(request, 'sender')).toBe('outgoing')
  expect(directionFor(request, 'receiver')).toBe('incoming')
})

test.each([
  ['a keeper of the sender', { id: 'a', organizationId: 'sender', keepsRegisters: true }, true],
  ['a keeper of the receiver', { id: 'a', organizationId: 'receiver', keepsRegisters: true }, true],
  ['the author', { id: 'author', organizationId: 'sender' }, true],
  ['the author in another organisation', { id: 'author', organizationId: 'receiver' }, false],
  ['a colleague', { id: 'b', organizationId: 'sender', keepsRegisters: false }, false],
  ['somebody without an organisation', { id: 'a', organizationId: null, keepsRegisters: true }, false],
])('whether a document may be registered by %s', (_, viewer, may) => {
  expect(mayRegister(request, viewer)).toBe(may)
})
