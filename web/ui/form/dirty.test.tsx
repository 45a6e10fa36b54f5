// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test } from 'vitest'
import { render, texts } from '../testing/render.tsx'
import { clearDirty, isDirty, useDirty, useIsDirty } from './dirty.ts'

afterEach(clearDirty)

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
  const edited = await render(<Edited value />)
  expect(texts(place, 'output')).toEqual(['unsaved'])
  await act(async () => clearDirty())
  expect(texts(place, 'output')).toEqual(['saved'])
  await edited.unmount()
  await unmount()
})

test('a dialog that opens and closes does not make the page below it clean', async () => {
  const page = await render(<Edited value />)
  const dialog = await render(<Edited value={false} />)
  expect(isDirty()).toBe(true)
  await dialog.unmount()
  expect(isDirty()).toBe(true)
  await page.unmount()
})
