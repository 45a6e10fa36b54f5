/** The service worker of the check page: one file with its version and every file that the page may need without a network. */
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import type { Rolldown } from 'vite'

const web = join(import.meta.dirname, '../../web')
const source = join(web, 'verify/offline/service-worker.ts')

type Output = readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]

export async function buildOffline(dist: string, output: Output, version: string): Promise<void> {
  const files = ['/mark.svg', '/verify.webmanifest', ...filesOfCheckPage(output).map((name) => `/${name}`)]
  const bundle = await rolldown({
    input: source,
    platform: 'browser',
    transform: { define: { __VERSION__: JSON.stringify(version), __FILES__: JSON.stringify(files) } },
  })
  await bundle.write({ file: join(dist, 'verify-worker.js'), format: 'iife', minify: true })
  await bundle.close()
}

/** Texts of other pages are reachable through the loader of texts, which all pages share. */
const neededTexts = /\/texts\/\w+\/(verify|signatures)\.json$/
/** Fonts for characters that none of our languages uses. */
const otherFonts = /golos-text-(?!latin-|cyrillic-)[\w-]+\.woff2?$|\.woff$/

/** Everything that the page loads at its start or later, its worker and its fonts. */
export function filesOfCheckPage(output: Output): string[] {
  const byName = new Map(output.map((file) => [file.fileName, file]))
  if (!byName.has('verify.html')) throw new Error('The build has no check page')
  const found = new Set<string>()
  const left = ['verify.html']
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const file = byName.get(name)
    if (!file || found.has(name) || !isNeeded(file)) continue
    found.add(name)
    left.push(...namedBy(file, byName.keys()))
  }
  // The page itself is written by the server.
  return [...found].filter((name) => name !== 'verify.html').toSorted()
}

function isNeeded(file: Output[number]): boolean {
  // Folders hold fonts and colours for the PDF reader, which neither embedded files nor scanned codes need.
  const isInFolder = file.fileName.split('/').length > 2
  if (isInFolder || otherFonts.test(file.fileName)) return false
  const module = file.type === 'chunk' ? file.facadeModuleId : null
  return !module || !/\/texts\/\w+\/[\w-]+\.json$/.test(module) || neededTexts.test(module)
}

function namedBy(file: Output[number], names: Iterable<string>): string[] {
  const imported = file.type === 'chunk' ? [...file.imports, ...file.dynamicImports] : []
  const text =
    file.type === 'chunk' ? file.code : typeof file.source === 'string' ? file.source : textIn(file)
  // Workers, style sheets and fonts are named in the text only.
  const named = [...names].filter(
    (name) => !name.endsWith('.html') && text.includes(name.slice(name.lastIndexOf('/') + 1)),
  )
  const isChunk = file.type === 'chunk'
  return [...imported, ...named.filter((name) => !isChunk || !name.endsWith('.js') || /worker/.test(name))]
}

function textIn(file: Rolldown.OutputAsset): string {
  return /\.(html|css|js|mjs)$/.test(file.fileName) ? Buffer.from(file.source).toString('utf8') : ''
}
