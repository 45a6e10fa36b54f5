import { expect, test } from 'vitest'
import { isAlone, nameOfOwnGroup } from './quick.ts'

test('somebody is alone in an organisation if they are its only member', () => {
  expect(isAlone(['me'], 'me')).toBe(true)
  expect(isAlone(['me', 'colleague'], 'me')).toBe(false)
  expect(isAlone(['colleague'], 'me')).toBe(false)
  expect(isAlone([], 'me')).toBe(false)
})

test('the group of somebody alone has their name, with a number if the name is taken', () => {
  expect(nameOfOwnGroup('Әлихан Қасымов', [])).toBe('Әлихан Қасымов')
  expect(nameOfOwnGroup('Әлихан Қасымов', ['әлихан қасымов', 'Әлихан Қасымов 2'])).toBe('Әлихан Қасымов 3')
})
