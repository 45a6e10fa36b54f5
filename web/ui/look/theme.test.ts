import { readFileSync } from 'node:fs'
import { DEFAULT_THEME } from '@mantine/core'
import { expect, test } from 'vitest'
import { cssVariables } from './theme.ts'

const tokens = readFileSync(new URL('./theme.css', import.meta.url), 'utf8')
const { light, dark } = cssVariables(DEFAULT_THEME)

test('alerts take their colours from the tokens, not from the library', () => {
  for (const scheme of [light, dark]) {
    for (const color of ['red', 'yellow', 'teal', 'gray']) {
      for (const part of ['light', 'light-color']) {
        expect(scheme[`--mantine-color-${color}-${part}`]).toMatch(/^var\(--/)
      }
    }
  }
})

test('every token that is passed to the library exists', () => {
  const used = [...Object.values(light), ...Object.values(dark)].flatMap(
    (value) => /^var\((--[\w-]+)\)$/.exec(value)?.[1] ?? [],
  )
  expect(used.length).toBeGreaterThan(10)
  expect(used.filter((name) => !tokens.includes(`${name}:`))).toEqual([])
})
