/**
 * The style sheet, the font, the logo and the scripts: read once, served with the hash of their content in the address.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { trusted } from './html.ts'
import { Refused } from './refused.ts'

type Asset = { type: string; body: Buffer }

const base = '/connect/assets'
const weights = [400, 500, 600, 700]

/** Which characters are in which file, as the font's authors split it; Kazakh needs both Cyrillic ones. */
const alphabets = {
  'cyrillic-ext': 'U+0460-052F,U+1C80-1C8A,U+20B4,U+2DE0-2DFF,U+A640-A69F,U+FE2E-FE2F',
  cyrillic: 'U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116',
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
}

const fonts = Object.entries(alphabets).flatMap(([alphabet, range]) =>
  weights.map((weight) => ({ name: `golos-text-${alphabet}-${weight}-normal.woff2`, weight, range })),
)

const own = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url))
const { resolve } = createRequire(import.meta.url)
const javaScript = 'text/javascript; charset=utf-8'
/** Our scripts are TypeScript, and so small that removing the types is the whole build. */
const script = (name: string): Asset => ({
  type: javaScript,
  body: Buffer.from(stripTypeScriptTypes(own(name).toString('utf8'))),
})

const assets = new Map<string, Asset>([
  ...fonts.map(({ name }): [string, Asset] => [
    name,
    { type: 'font/woff2', body: readFileSync(resolve(`@fontsource/golos-text/files/${name}`)) },
  ]),
  ['mark.svg', { type: 'image/svg+xml', body: own('mark.svg') }],
  ['ncalayer-client.js', { type: javaScript, body: readFileSync(resolve('ncalayer-js-client')) }],
  ['signature.js', script('signature.ts')],
  ['phone.js', script('phone.ts')],
  ['passkey.js', script('passkey.ts')],
])

const fontFaces = fonts.map(
  ({ name, weight, range }) =>
    `@font-face{font-family:'Golos Text';font-weight:${weight};font-display:swap;src:url(${addressOf(name)}) format('woff2');unicode-range:${range}}`,
)
const styles = Buffer.concat([Buffer.from(fontFaces.join('\n')), own('sign-in.css')])
assets.set('sign-in.css', { type: 'text/css; charset=utf-8', body: styles })

export const stylesAddress = addressOf('sign-in.css')
export const clientLibraryAddress = addressOf('ncalayer-client.js')
export const signatureScriptAddress = addressOf('signature.js')
export const phoneScriptAddress = addressOf('phone.js')
export const passkeyScriptAddress = addressOf('passkey.js')
export const markAddress = addressOf('mark.svg')
export const mark = trusted(own('mark.svg').toString('utf8').replace('<svg ', '<svg aria-hidden="true" '))

export function sendAsset(response: ServerResponse, name: string): void {
  const asset = assets.get(name)
  if (!asset) throw new Refused('not-found', 404)
  response.writeHead(200, {
    'Content-Type': asset.type,
    'Content-Length': asset.body.length,
    'Cache-Control': 'public, max-age=31536000, immutable',
  })
  response.end(asset.body)
}

function addressOf(name: string): string {
  const body = assets.get(name)?.body ?? Buffer.alloc(0)
  return `${base}/${name}?v=${createHash('sha256').update(body).digest('hex').slice(0, 10)}`
}
