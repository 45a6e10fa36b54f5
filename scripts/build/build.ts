/** Builds the site into web/dist when its sources changed: the application, the landing as ready HTML, compressed files. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { buildOffline } from './build-offline.ts'
import { fileOfModule } from './chunks.ts'
import { languages, type Language } from '@kelisim/texts/languages.ts'
import type { HelpFile } from '../../server/help/manifest.ts'

const root = join(import.meta.dirname, '../..')
const web = join(root, 'web')
const dist = join(web, 'dist')

/** Builds in a separate process: the build tool changes the environment, and its memory must be freed afterwards. */
export function buildSite(): void {
  if (isBuilt(sourcesHash())) return
  console.log('Building the site…')
  const built = spawnSync(process.execPath, [import.meta.filename], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (built.status !== 0) process.exit(built.status ?? 1)
}

const stamp = join(dist, 'build.txt')

function isBuilt(id: string): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === id
}

async function build(): Promise<void> {
  const id = sourcesHash()
  process.env['BUILD_ID'] = id
  rmSync(dist, { recursive: true, force: true })
  const { makeHelp, placeHelp } = await import('../../server/help/make-help.ts')
  const help = await makeHelp(join(web, 'node_modules', '.help'))
  // The pages link to versions of the documents, so that a browser does not fetch a document again that it has read.
  process.env['HELP_VERSIONS'] = versionsOf(help.files)
  await buildOffline(dist, await buildPages(), id)
  await buildLanding()
  await buildSkeletons()
  placeHelp(help.folder, join(dist, 'files'))
  compress(join(dist, 'assets'))
  writeFileSync(stamp, id)
}

/** Builds twice: only a finished build tells which pages need a module, and so which modules should share a file. */
async function buildPages(): Promise<Parameters<typeof buildOffline>[1]> {
  const { build: viteBuild } = await import('vite')
  const configFile = join(web, 'vite.config.ts')
  const plain = await viteBuild({ configFile, logLevel: 'error', build: { write: false, minify: false } })
  const groups = [{ name: fileOfModule(plain), debugName: 'by who loads it' }]
  const built = await viteBuild({
    configFile,
    logLevel: 'warn',
    build: {
      rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups } } },
    },
  })
  if (!('output' in built)) throw new Error('The build has no single output')
  return built.output
}

function versionsOf(files: readonly HelpFile[]): string {
  const plain = files.filter(({ tariff }) => tariff === null)
  return JSON.stringify(
    Object.fromEntries(plain.map(({ name, language, version }) => [`${name}.${language}`, version])),
  )
}

/** Prerenders the landing by a second build, which runs here once and is thrown away. */
async function buildLanding(): Promise<void> {
  const { build: viteBuild } = await import('vite')
  const out = join(web, 'node_modules', '.landing')
  await viteBuild({
    configFile: join(web, 'landing', 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: out, emptyOutDir: true },
  })
  const { renderLanding } = (await import(pathToFileURL(join(out, 'render.js')).href)) as {
    renderLanding: (template: string) => Record<Language, string>
  }
  const template = join(dist, 'landing.html')
  mkdirSync(join(dist, 'landing'), { recursive: true })
  const pages = renderLanding(withStyles(readFileSync(template, 'utf8')))
  for (const language of languages) {
    writeFileSync(join(dist, 'landing', `${language}.html`), withFonts(pages[language], language))
  }
  rmSync(template)
  rmSync(out, { recursive: true, force: true })
}

/**
 * The frame of the application, which the server writes into its page. The style sheets of the application come after it: browsers
 * paint what stands before a style sheet without waiting for it.
 */
async function buildSkeletons(): Promise<void> {
  const { build: viteBuild } = await import('vite')
  const out = join(web, 'node_modules', '.skeleton')
  await viteBuild({
    configFile: join(web, 'shell', 'skeleton', 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: out, emptyOutDir: true },
  })
  const { renderSkeletons } = (await import(pathToFileURL(join(out, 'render.js')).href)) as {
    renderSkeletons: () => { css: string }
  }
  const page = join(dist, 'index.html')
  const html = readFileSync(page, 'utf8')
  const sheets = html.match(styleSheetLinks) ?? []
  const place = '<!--skeleton-->'
  writeFileSync(
    page,
    html.replaceAll(styleSheetLinks, '').replace(place, () => [place, ...sheets].join('\n    ')),
  )
  const skeletons = renderSkeletons()
  const css = fontFacesOf(sheets) + skeletons.css
  const fonts = Object.fromEntries(languages.map((language) => [language, preloadsOf(language)]))
  writeFileSync(join(dist, 'skeletons.json'), JSON.stringify({ ...skeletons, css, fonts }))
  rmSync(out, { recursive: true, force: true })
}

const styleSheetLinks = /<link rel="stylesheet"[^>]*href="\/(assets\/[^"]+)"[^>]*>/g

/** The font faces of the style sheets, so that the first text gets our font before the style sheets have loaded. */
function fontFacesOf(sheets: readonly string[]): string {
  const css = sheets.map((link) =>
    link.replaceAll(styleSheetLinks, (_, file: string) => readFileSync(join(dist, file), 'utf8')),
  )
  return (
    css.join('').match(/@font-face\{[^}]*golos-text-(latin|cyrillic|cyrillic-ext)-[567]00[^}]*\}/g) ?? []
  ).join('')
}

/** Fonts are preloaded: when they arrive after the text, its lines break anew and everything below moves. */
function preloadsOf(language: Language): string {
  return readdirSync(join(dist, 'assets'))
    .filter((name) => fontFilesOf[language].test(name) && name.endsWith('.woff2'))
    .map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/${name}">`)
    .join('')
}

/** Inlines the style sheets, which saves a round trip to the server before anything is shown. */
function withStyles(html: string): string {
  return html.replaceAll(
    styleSheetLinks,
    (_, file: string) => `<style>${readFileSync(join(dist, file), 'utf8').trim()}</style>`,
  )
}

/** The font files that each language needs. */
const fontFilesOf: Record<Language, RegExp> = {
  ru: /^golos-text-(latin|cyrillic)-\d/,
  kk: /^golos-text-(latin|cyrillic|cyrillic-ext)-\d/,
  en: /^golos-text-latin-\d/,
}

/**
 * Fonts are embedded in the page, so nothing moves when they load. Browsers load even an embedded font only when a text uses it,
 * which is too late for the first text, so it is loaded explicitly.
 */
function withFonts(html: string, language: Language): string {
  return html
    .replaceAll(/@font-face\{[^}]*url\(\/assets\/([^)]+)\)[^}]*\}/g, (face: string, name: string) => {
      if (!fontFilesOf[language].test(name)) return face
      const bytes = readFileSync(join(dist, 'assets', name), 'base64')
      return face
        .replace('font-display:optional', 'font-display:block')
        .replace(`/assets/${name}`, `data:font/woff2;base64,${bytes}`)
    })
    .replace('</head>', `<script>${loadFonts}</script></head>`)
}

const loadFonts = "document.fonts.forEach((face) => face.display === 'block' && face.load())"

function compress(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/\.(m?js|css|svg|json|wasm)$/.test(name)) continue
    const bytes = readFileSync(join(folder, name))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params: quality }))
  }
}

/** The hash of everything that the site is made from; nothing else makes a build stale. */
function sourcesHash(): string {
  const hash = createHash('sha256')
  for (const folder of ['web', 'domain', 'signature', 'texts', 'help', 'server/help', 'pdf'])
    addFolder(hash, join(root, folder))
  for (const file of [
    'package.json',
    'package-lock.json',
    'scripts/build/build.ts',
    'scripts/build/build-offline.ts',
    'scripts/build/chunks.ts',
  ])
    hash.update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

function addFolder(hash: ReturnType<typeof createHash>, folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) addFolder(hash, path)
    else if (!/\.test\.tsx?$/.test(entry.name)) hash.update(relative(root, path)).update(readFileSync(path))
  }
}

if (import.meta.main && !(process.argv.includes('--if-changed') && isBuilt(sourcesHash()))) await build()
