import { expect, test } from 'vitest'
import { requestStatuses, type RequestStatus } from '@kelisim/domain/requests/status.ts'
import { humanEvents, type EventView } from './human-events.ts'

let number = 0
function event(
  type: string,
  change: Partial<EventView> = {},
  before: RequestStatus = 'InProgress',
): EventView {
  number += 1
  return {
    number,
    at: `2026-11-15T10:00:0${number % 10}Z`,
    type,
    actor: null,
    pointName: null,
    comment: '',
    data: {},
    before: requestStatuses.of(before),
    after: requestStatuses.of(before),
    ...change,
  }
}

test('of all recorded events, those that people caused are listed', () => {
  const events = [
    event('sent', { actor: { fullName: 'Айгерім Серікова' } }),
    event('started'),
    event('turn-came', { pointName: 'Юристы' }),
    event('approved', { actor: { fullName: 'Ерлан Төлегенов' }, pointName: 'Юристы', comment: 'Верно' }),
    event('point-done', { pointName: 'Юристы' }),
    event('something-of-a-later-version'),
  ]
  expect(humanEvents(events).map(({ said, by, comment }) => [said, by?.fullName, comment])).toEqual([
    ['sent', 'Айгерім Серікова', ''],
    ['approved', 'Ерлан Төлегенов', 'Верно'],
  ])
})

test('a signature is listed once, under its owner, with the time and the comment with which it was given', () => {
  const given = event('signature-taken', {
    actor: { fullName: 'Айгерім Серікова' },
    comment: 'Подписываю',
    data: { signatureId: 's' },
  })
  const accepted = event('signature-accepted', {
    data: { signatureId: 's', owner: 'Серікова Айгерім Нұрланқызы' },
  })
  expect(humanEvents([accepted, given])).toEqual([
    {
      number: accepted.number,
      at: given.at,
      type: 'signature-accepted',
      said: 'signature-accepted',
      by: { fullName: 'Серікова Айгерім Нұрланқызы' },
      comment: 'Подписываю',
      source: accepted,
    },
  ])
  const refused = event('signature-refused', { data: { signatureId: 's', owner: null } })
  expect(humanEvents([refused, given])[0]?.by).toEqual({ fullName: 'Айгерім Серікова' })
})

test('a signature under a termination and the rejection of one are listed as such', () => {
  const signed = event('signature-accepted', { data: { owner: 'Серікова Айгерім' } }, 'Terminating')
  const rejected = event('rejected', { actor: { fullName: 'Мария Ли' } }, 'Terminating')
  expect(humanEvents([rejected, signed]).map(({ said }) => said)).toEqual([
    'termination-rejected',
    'termination-accepted',
  ])
})

test('deliveries to another side are listed, those to colleagues are not, and failed deliveries always are', () => {
  const events = [
    event('delivered', { data: { by: 'email', to: 'Айгерім Серікова' } }),
    event('delivered', { data: { by: 'email' } }),
    event('undelivered', { data: { by: 'email', to: 'Айгерім Серікова' } }),
  ]
  expect(humanEvents(events).map(({ number: told }) => told)).toEqual(
    events.slice(1).map((one) => one.number),
  )
})
