// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test } from 'vitest'
import { render, texts } from '../testing/render.tsx'
import { isDirty, setDirty, useDirty, useIsDirty } from './dirty.ts'

afterEach(() => setDirty(false))

function Watcher() {
  return <output>{useIsDirty() ? 'unsaved' : 'saved'}</output>
}

function Edited({ value }: { value: boolean }) {
  useDirty(value)
  return <Watcher />
}

test('a page is dirty while it is marked, and clean after it was left', async () => {
  const { place, unmount } = await render(<Edited value />)
  expect(texts(place, 'output')).toEqual(['unsaved'])
  expect(isDirty()).toBe(true)
  await unmount()
  expect(isDirty()).toBe(false)
})

test('a watching component renders every change', async () => {
  const { place, unmount } = await render(<Watcher />)
  expect(texts(place, 'output')).toEqual(['saved'])
  await act(async () => setDirty(true))
  expect(texts(place, 'output')).toEqual(['unsaved'])
  await unmount()
})
