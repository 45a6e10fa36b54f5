import { expect, test } from 'vitest'
import { apply } from '../life-cycle/apply.ts'
import type { Command } from '../life-cycle/commands.ts'
import { decide } from '../life-cycle/decide.ts'
import { newRequest } from '../life-cycle/request.ts'
import type { Viewer } from '../life-cycle/permissions.ts'
import { unopenedPoints, type Opening } from './openings.ts'

const now = new Date('2026-11-15T10:00:00Z')
const viewer = (id: string): Viewer => ({ id, numbers: [], organizationId: 'ours', isOwner: false })
const point = (pointId: string, order: number, participants: string[]) => ({
  pointId,
  type: 'InternalApprove' as const,
  order,
  condition: 'any' as const,
  isEdsRequired: false,
  participants,
  bin: null,
})
const sent = newRequest('author', [point('first', 1, ['a']), point('second', 2, ['a', 'b'])])
const after = (request: typeof sent, command: Command) => decide(request, command, now).reduce(apply, request)
const started = after(sent, { type: 'start' })
const opening = (pointId: string, actorId: string): Opening => ({ process: 'signing', pointId, actorId })

test('an opening is recorded only for people who are asked now', () => {
  expect(unopenedPoints(started, viewer('a'), [])).toEqual(['first'])
  expect(unopenedPoints(started, viewer('b'), [])).toEqual([])
  expect(unopenedPoints(started, viewer('author'), [])).toEqual([])
  expect(unopenedPoints(sent, viewer('a'), [])).toEqual([])
})

test('an opening is recorded once for each person and point', () => {
  expect(unopenedPoints(started, viewer('a'), [opening('first', 'a')])).toEqual([])
  expect(unopenedPoints(started, viewer('a'), [opening('first', 'b')])).toEqual(['first'])
  const approved = after(started, { type: 'approve', pointId: 'first', by: viewer('a') })
  expect(unopenedPoints(approved, viewer('a'), [opening('first', 'a')])).toEqual(['second'])
  expect(unopenedPoints(approved, viewer('b'), [opening('second', 'a')])).toEqual(['second'])
})

test('an opening changes nothing in the request', () => {
  const event = { type: 'opened', process: 'signing', pointId: 'first', by: 'a' } as const
  expect(apply(started, event)).toEqual(started)
})
