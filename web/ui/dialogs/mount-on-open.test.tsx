// @vitest-environment happy-dom
import { useState } from 'react'
import { expect, test } from 'vitest'
import { button, click, render } from '../testing/render.tsx'
import { MountOnOpen } from './mount-on-open.tsx'

function Page() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        Первая
      </button>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        Вторая
      </button>
      <MountOnOpen isOpen={isOpen}>
        <div role="dialog">
          <button type="button" onClick={() => setOpen(false)}>
            Закрыть
          </button>
        </div>
      </MountOnOpen>
    </>
  )
}

async function press(place: ParentNode, name: string): Promise<void> {
  button(place, name)!.focus()
  await click(button(place, name))
}

test('a dialog that closes gives the focus back to what opened it', async () => {
  const { place, unmount } = await render(<Page />)
  await press(place, 'Первая')
  await press(place, 'Закрыть')
  expect(document.activeElement).toBe(button(place, 'Первая'))
  await unmount()
})

test('a dialog that closes leaves the focus where the person has moved it', async () => {
  const { place, unmount } = await render(<Page />)
  await press(place, 'Первая')
  await press(place, 'Вторая')
  expect(document.activeElement).toBe(button(place, 'Вторая'))
  await unmount()
})
