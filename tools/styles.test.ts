/** Style sheets use the agreed breakpoints and the colours of the theme, and do not define shared classes again. */
import { expect, test } from 'vitest'
import { filesBelow, readText } from './source-files.ts'

/** Documented in web/ui/look/theme.css: small phone, phone, tablet, small laptop. */
const breakpoints = [480, 700, 1000, 1280]

/** The only files with colours of their own: those of the application, and those of the landing. */
const colourFiles = ['web/ui/look/theme.css', 'web/landing/styles/tokens.css']

const sheets = filesBelow('web', /\.css$/).map((file) => ({ file, text: withoutComments(readText(file)) }))

function withoutComments(css: string): string {
  return css.replaceAll(/\/\*[\s\S]*?\*\//g, '')
}

/** Each match of the pattern with the file it is in. */
function found(pattern: RegExp, among = sheets): string[] {
  return among.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map((match) => `${file}: ${match[0].trim()}`),
  )
}

test('style sheets are found', () => {
  expect(sheets.length).toBeGreaterThan(30)
})

test('screen widths are compared with the agreed breakpoints only', () => {
  const agreed = breakpoints.join('|')
  const media = found(/@media[^{]*width[^{]*/g)
  expect(media.length).toBeGreaterThan(20)
  expect(media.filter((line) => !new RegExp(`@media \\(width < (${agreed})px\\)$`).test(line))).toEqual([])
})

test('colours come from the theme', () => {
  const others = sheets.filter(({ file }) => !colourFiles.includes(file))
  expect(found(/#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(/gi, others)).toEqual([])
})

test('the sign-in pages have the colours of the application, and none of their own', () => {
  const tokensOf = (css: string) =>
    new Map([...css.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map((match) => [match[1]!, match[2]!]))
  const theme = tokensOf(readText('web/ui/look/theme.css'))
  const signIn = withoutComments(readText('sign-in/assets/sign-in.css'))
  const tokens = tokensOf(signIn)
  const onPanelOnly = '--panel-gold'
  const others = [...tokens].filter(([name, value]) => name !== onPanelOnly && theme.get(name) !== value)
  expect(others).toEqual([])
  const rest = signIn.slice(signIn.indexOf('}') + 1)
  expect(rest.match(/#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\(/gi) ?? []).toEqual([])
  const used = [...rest.matchAll(/var\((--[\w-]+)/g)].map((match) => match[1]!)
  expect(used.filter((name) => !tokens.has(name))).toEqual([])
})

test('every custom property that is used is defined', () => {
  const scripts = filesBelow('web', /\.tsx?$/)
    .map(readText)
    .join('\n')
  const defined = new Set(
    sheets.flatMap(({ text }) => [...text.matchAll(/(--[\w-]+)\s*:/g)].map((match) => match[1]!)),
  )
  const used = sheets.flatMap(({ text }) => [...text.matchAll(/var\((--[\w-]+)/g)].map((match) => match[1]!))
  const isSetElsewhere = (name: string) => name.startsWith('--mantine-') || scripts.includes(`'${name}'`)
  expect([...new Set(used)].filter((name) => !defined.has(name) && !isSetElsewhere(name))).toEqual([])
})

test('facts, badges and marks are drawn by the components in web/ui', () => {
  const others = sheets.filter(({ file }) => !file.startsWith('web/ui/'))
  expect(found(/\.(?:facts|mark|badge)\b/g, others)).toEqual([])
})
