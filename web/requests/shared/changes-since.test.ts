import { describe, expect, test } from 'vitest'
import { requestStatuses, type PointStatus } from '@kelisim/domain/requests/status.ts'
import { changesSince, stateOfAction } from './changes-since.ts'
import type { PointView, RequestView } from './request-view.ts'
import { point, request } from './testing-requests.ts'

type Who = Pick<PointView['acts'][number], 'fullName' | 'insteadOf'>
const berik: Who = { fullName: 'Берік Ахметов', insteadOf: undefined }
const dana: Who = { fullName: 'Дана Оспанова', insteadOf: 'Айгерім Серікова' }
const did = (act: PointView['acts'][number]['act'], by = berik, minute = 1, comment = '') => ({
  ...by,
  act,
  comment,
  at: `2026-11-16T09:0${minute}:00Z`,
  signatureId: null,
})
const at = (status: PointStatus, acts: PointView['acts'] = [], pointId = 'p') =>
  point(pointId, 'InternalApprove', status, { acts })
const before = request([at('Waiting'), at('Waiting', [], 'q')], {
  acts: [
    { act: 'reject', pointId: 'p' },
    { act: 'withdraw', pointId: null },
  ],
})
const termination = (attempt: number, acts: PointView['acts'] = []) => ({
  attempt,
  title: '',
  fileName: '',
  begunBy: berik,
  begunAt: '2026-11-16T09:00:00Z',
  comment: 'Поставка отменена',
  points: [at('Waiting', acts)],
})

const revision = (number: number, by: typeof berik, comment: string) => ({
  revision: number,
  fileName: 'Договор.pdf',
  format: 'pdf' as const,
  size: 4,
  sha256: '',
  at: '2026-11-16T09:00:00Z',
  by,
  comment,
})

describe('what others did', () => {
  test.each<[string, RequestView, RequestView, string[]]>([
    ['nothing', before, { ...before, currentVersion: 2 }, []],
    ['other steps', before, { ...before, points: [] }, [`rerouted ${before.author.fullName} `]],
    [
      'acts at points, in their order',
      request([at('Waiting', []), at('Waiting', [], 'q')]),
      request([
        at('Approved', [did('approved', berik, 2)]),
        at('Rejected', [did('rejected', dana, 1, 'Нет')], 'q'),
      ]),
      ['rejected Дана Оспанова Нет', 'approved Берік Ахметов '],
    ],
    [
      'only what is new',
      request([at('Waiting', [did('approved')])]),
      request([at('Approved', [did('approved'), did('approved', dana, 2)])]),
      ['approved Дана Оспанова '],
    ],
    [
      'a correction',
      before,
      { ...before, revision: 2, revisions: [revision(1, berik, ''), revision(2, dana, 'Цена')] },
      ['corrected Дана Оспанова Цена'],
    ],
    [
      'a withdrawal',
      before,
      { ...before, withdrawal: { ...berik, at: '2026-11-16T09:00:00Z', comment: 'Ошибка' } },
      ['withdrawn Берік Ахметов Ошибка'],
    ],
    [
      'a termination, and what was done about it',
      before,
      { ...before, termination: termination(1, [did('signed', dana)]) },
      ['terminationBegun Берік Ахметов Поставка отменена', 'signedTermination Дана Оспанова '],
    ],
    [
      'another attempt to terminate',
      { ...before, termination: termination(1, [did('rejected')]) },
      { ...before, termination: termination(2) },
      ['terminationBegun Берік Ахметов Поставка отменена'],
    ],
  ])('%s', (_, then, now, expected) =>
    expect(
      changesSince(then, now).map(({ what, by, comment }) => `${what} ${by.fullName} ${comment}`),
    ).toEqual(expected),
  )

  test('a substitute is named with the absent colleague', () => {
    const [change] = changesSince(
      request([at('Waiting', [])]),
      request([at('Approved', [did('approved', dana)])]),
    )
    expect(change?.by).toEqual(dana)
  })
})

describe('an act of an open dialog', () => {
  const reject = { act: 'reject', point: before.points[0] } as const
  const withdraw = { act: 'withdraw', point: null } as const
  const lock = { fullName: 'Берік Ахметов', until: '2026-11-16T09:05:00Z' }
  const isOver = { status: requestStatuses.of('Revoked'), acts: [] }
  test.each([
    ['is possible while it is offered', reject, {}, 'possible'],
    ['is possible for the whole request', withdraw, {}, 'possible'],
    ['is over at another point only', reject, { acts: [{ act: 'reject', pointId: 'q' }] }, 'over'],
    [
      'is over when the document was corrected: it was decided about another',
      reject,
      { revision: 2 },
      'over',
    ],
    ['is possible for a corrected request as a whole', withdraw, { revision: 2 }, 'possible'],
    ['is over with the request', reject, isOver, 'over'],
    ['is over although the lock was left behind', reject, { ...isOver, lock }, 'over'],
    ['is held while somebody signs', reject, { acts: [], lock }, 'held'],
    ['is over when the document is being terminated', reject, { termination: termination(1) }, 'over'],
  ] as const)('%s', (_, action, change, expected) =>
    expect(stateOfAction(action, before, { ...before, ...change } as RequestView)).toBe(expected),
  )
})
