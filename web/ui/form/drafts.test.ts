// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { dropAllDrafts, dropDraft, keepDraft, readDraft } from './drafts.ts'

beforeEach(() => sessionStorage.clear())

test('a draft is read as it was kept, each under its own name', () => {
  keepDraft('point:1', { name: 'Директор' })
  keepDraft('point:2', { name: 'Бухгалтер' })
  expect(readDraft('point:1')).toEqual({ name: 'Директор' })
  expect(readDraft('point:3')).toBeNull()
})

test('a dropped draft is gone, the others stay', () => {
  keepDraft('point:1', { name: 'Директор' })
  keepDraft('point:2', { name: 'Бухгалтер' })
  dropDraft('point:1')
  expect([readDraft('point:1'), readDraft('point:2')]).toEqual([null, { name: 'Бухгалтер' }])
})

test('all drafts are dropped, and nothing else of the storage', () => {
  keepDraft('point:1', {})
  sessionStorage.setItem('something-else', 'kept')
  dropAllDrafts()
  expect(readDraft('point:1')).toBeNull()
  expect(sessionStorage.getItem('something-else')).toBe('kept')
})
