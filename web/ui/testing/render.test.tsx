// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { changeLanguage, startTexts } from '../../i18n/language.ts'
import { PageNotFound } from '../page/states.tsx'
import { render } from './render.tsx'

test('a component is rendered in Russian, whatever language an earlier test has used', async () => {
  await startTexts()
  await changeLanguage('en')
  const { place, unmount } = await render(<PageNotFound />)
  expect(place.querySelector('h1')?.textContent).toBe('Страница не существует')
  await unmount()
})
