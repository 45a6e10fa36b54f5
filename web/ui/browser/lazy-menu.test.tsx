// @vitest-environment happy-dom
import type { MouseEventHandler } from 'react'
import { expect, test, vi } from 'vitest'
import { button, click, fire, render, settle, texts, until } from '../testing/render.tsx'
import { lazyMenu } from './lazy-menu.tsx'

function Closed({ onClick }: { onClick?: MouseEventHandler<HTMLButtonElement> }) {
  return (
    <button type="button" onClick={onClick}>
      Меню
    </button>
  )
}

function Menu({ isOpenAtFirst = false }: { isOpenAtFirst?: boolean }) {
  return <output>{isOpenAtFirst ? 'открыто' : 'закрыто'}</output>
}

test('a menu that is loaded while its button is held down opens with the click', async () => {
  const loading = Promise.withResolvers<typeof Menu>()
  const load = vi.fn(() => loading.promise)
  const Lazy = lazyMenu(load, Closed)
  const { place } = await render(<Lazy />)
  const held = button(place, 'Меню')!
  await fire(held, new PointerEvent('pointerdown', { bubbles: true }))
  await until(() => expect(load).toHaveBeenCalled())
  loading.resolve(Menu)
  await settle()
  expect(button(place, 'Меню')).toBe(held)
  held.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))
  await click(held)
  await until(() => expect(texts(place, 'output')).toEqual(['открыто']))
})
