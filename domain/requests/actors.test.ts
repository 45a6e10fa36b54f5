import { describe, expect, test } from 'vitest'
import { apply } from './life-cycle/apply.ts'
import { decide } from './life-cycle/decide.ts'
import { newRequest } from './life-cycle/request.ts'
import { whyNot } from './life-cycle/why-not.ts'

const named = '901108300543'
const now = new Date('2026-11-16T06:00:00Z')

/** A request to the number of an organisation, at a point that takes the key of one named person. */
function sent() {
  const request = newRequest('author', [
    {
      pointId: 'point',
      type: 'ExternalSign',
      order: 1,
      condition: 'any',
      isEdsRequired: false,
      participants: ['owner'],
      bin: '260140020007',
      keyRule: { keyHolder: 'person', keyHolderIin: named },
    },
  ])
  return decide(request, { type: 'start' }, now).reduce(apply, request)
}

describe('at a point that names a person', () => {
  const owner = (iin: string | null) => ({ id: 'owner', numbers: [], iin })
  const why = (iin: string | null, type: 'sign' | 'reject') =>
    whyNot(sent(), { type, pointId: 'point', by: owner(iin), signatureId: 's' }, now)

  test('an owner who is known to be another person may reject, but not sign', () => {
    expect(why('850412400310', 'sign')).toBe('key-not-taken')
    expect(why('850412400310', 'reject')).toBe(null)
  })

  test('the named person may sign, and so may somebody whose IIN is not known: the key decides', () => {
    expect(why(named, 'sign')).toBe(null)
    expect(why(null, 'sign')).toBe(null)
  })
})
