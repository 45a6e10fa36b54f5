/**
 * Builds every help document from its source in `help/`, when the site is built. Unchanged documents are taken from the
 * cache: pages are laid out again only when a word, a picture or a price has changed.
 */
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { helpLanguages, helpNames, type HelpLanguage, type HelpName } from '@kelisim/domain/help/documents.ts'
import { lawOn, lawParameters } from '@kelisim/domain/outputs/law.ts'
import { pdfBytes } from '@kelisim/pdf/make-pdf.ts'
import { helpDefinition } from './help-document.ts'
import { readMarkdown, type Source } from './markdown.ts'
import { manifestName, type HelpFile, type TariffName } from './manifest.ts'
import { priceTable } from './price-table.ts'
import { tariffNames } from '@kelisim/domain/subscriptions/price-list.ts'
import { textsOf } from '@kelisim/texts/server.ts'

const root = join(import.meta.dirname, '..', '..')
const sources = join(root, 'help')

/** Prints all documents unless the cache has them, and returns their folder. */
export async function makeHelp(cache: string): Promise<{ folder: string; files: HelpFile[] }> {
  const folder = join(cache, helpHash())
  const manifest = join(folder, manifestName)
  if (!existsSync(manifest)) {
    rmSync(cache, { recursive: true, force: true })
    const unfinished = `${folder}.making`
    mkdirSync(unfinished, { recursive: true })
    writeFileSync(join(unfinished, manifestName), JSON.stringify(await printAll(unfinished)))
    renameSync(unfinished, folder)
  }
  return { folder, files: JSON.parse(readFileSync(manifest, 'utf8')) as HelpFile[] }
}

/** Everything served under /files: the PDFs with their manifest, and the videos with captions and posters. */
export function placeHelp(made: string, target: string): void {
  cpSync(made, target, { recursive: true })
  const videos = join(sources, 'videos')
  if (existsSync(videos)) cpSync(videos, join(target, 'videos'), { recursive: true })
}

async function printAll(folder: string): Promise<HelpFile[]> {
  const files: HelpFile[] = []
  for (const name of helpNames) {
    for (const language of helpLanguages) {
      for (const tariff of name === 'price-list' ? [null, ...tariffNames] : [null]) {
        const bytes = await printHelp(name, language, tariff)
        const file = [name, ...(tariff === null ? [] : [tariff]), language, 'pdf'].join('.')
        writeFileSync(join(folder, file), bytes)
        files.push({ name, language, tariff, file, version: hashOf(bytes) })
      }
    }
  }
  return files
}

export async function printHelp(
  name: HelpName,
  language: HelpLanguage,
  tariff: TariffName | null = null,
): Promise<Buffer> {
  const source = sourceOf(name, language)
  const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string })
    .version
  const definition = helpDefinition({
    source,
    language,
    version,
    picture: (picture) => readFileSync(join(sources, 'screenshots', language, `${picture}.jpg`)),
    insets: { tariffs: () => priceTable(language, tariff) },
  })
  return pdfBytes(definition, [source, language, version, tariff])
}

export function sourceOf(name: HelpName, language: HelpLanguage): Source {
  const file = join(sources, language, `${name}.md`)
  try {
    const text = readFileSync(file, 'utf8')
    const { edition = '' } = readMarkdown(text).facts
    return readMarkdown(text.replaceAll(lawPlaceholder, () => citationOn(edition, language)))
  } catch (error) {
    throw new Error(`${file} cannot be read`, { cause: error })
  }
}

/** Marks where a source cites the law on electronic documents. */
const lawPlaceholder = '{{law}}'

/** The law that is in force on the date of the edition. */
function citationOn(edition: string, language: HelpLanguage): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(edition)) throw new Error('an edition that cites the law needs its date')
  const law = lawOn(edition)
  return textsOf(language, 'law')(`${law.name}.citation`, lawParameters(law))
}

/** The hash of everything the pages are made from. */
function helpHash(): string {
  const hash = createHash('sha256')
  const places = [
    'help/ru',
    'help/kk',
    'help/en',
    'help/screenshots',
    'server/help',
    'pdf',
    'domain/subscriptions',
  ]
  const single = ['domain/outputs/law.ts', 'package.json', 'package-lock.json']
  for (const file of [...places.flatMap(filesBelow), ...textFiles(), ...single]) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

function filesBelow(place: string): string[] {
  return readdirSync(join(root, place), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted()
}

function textFiles(): string[] {
  return ['ru', 'kk', 'en'].flatMap((language) =>
    ['help', 'law', 'shell'].map((namespace) => `texts/${language}/${namespace}.json`),
  )
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 12)
}
