import { expect, test } from 'vitest'
import type { PointView } from '../shared/request-view.ts'
import { point, request } from '../shared/testing-requests.ts'
import { askedAgain } from './asked-again.ts'

const acts = (...names: string[]): Pick<PointView, 'acts'> => ({
  acts: names.map((fullName) => ({
    fullName,
    act: 'approved',
    at: '2026-11-17T08:00:00.000Z',
    comment: '',
    signatureId: null,
  })),
})

test('everybody who has answered is asked again after a correction, each once', () => {
  const points = [
    point('a', 'InternalApprove', 'Approved', acts('Алия', 'Бекзат')),
    point('b', 'InternalApprove', 'Approved', acts('Алия')),
    point('c', 'ExternalSign', 'Signed', { organizationName: 'ТОО «Партнёр»', ...acts('') }),
    point('d', 'InternalApprove', 'Waiting'),
  ]
  expect(askedAgain(request(points))).toEqual(['Алия', 'Бекзат', 'ТОО «Партнёр»'])
})
