// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { dropAllDrafts, dropDraft, keepDraft, keepDraftsOf, readDraft } from './drafts.ts'

beforeEach(() => sessionStorage.clear())

test('drafts are stored under their own ids', () => {
  keepDraft('point:1', { name: 'Директор' })
  keepDraft('point:2', { name: 'Бухгалтер' })
  expect(readDraft('point:1')).toEqual({ name: 'Директор' })
  expect(readDraft('point:3')).toBeNull()
})

test('dropping a draft leaves the others', () => {
  keepDraft('point:1', { name: 'Директор' })
  keepDraft('point:2', { name: 'Бухгалтер' })
  dropDraft('point:1')
  expect([readDraft('point:1'), readDraft('point:2')]).toEqual([null, { name: 'Бухгалтер' }])
})

test('drafts survive a lost session of the same person, and nobody else gets them', () => {
  keepDraft('comment:1', { comment: 'До входа' })
  keepDraftsOf('first')
  keepDraft('comment:2', { comment: 'Черновик' })
  keepDraftsOf('first')
  expect([readDraft('comment:1'), readDraft('comment:2')]).toEqual([
    { comment: 'До входа' },
    { comment: 'Черновик' },
  ])
  keepDraftsOf('second')
  expect([readDraft('comment:1'), readDraft('comment:2')]).toEqual([null, null])
})

test('dropping all drafts leaves other items of the storage', () => {
  keepDraft('point:1', {})
  sessionStorage.setItem('something-else', 'kept')
  dropAllDrafts()
  expect(readDraft('point:1')).toBeNull()
  expect(sessionStorage.getItem('something-else')).toBe('kept')
})
