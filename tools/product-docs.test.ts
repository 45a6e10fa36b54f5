/**
 * Requirements are described in docs/product: each is where the index says, and every citation leads to existing text.
 */
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, readText, root } from './source-files.ts'

const folder = 'docs/product'
const files = filesBelow(folder, /\.md$/)
const texts = new Map(files.map((file) => [file, readText(file)]))

/** The rows of the index: an id, and the file that describes it. */
const index = [
  ...readText(`${folder}/README.md`).matchAll(/^\| ([A-Z]{1,2}-\d\d) +\| \[([\w-]+\.md)\]\(([^)]+)\) +\|$/gm),
].map(([, id, file, link]) => ({ id: id!, file: file!, link: link! }))

/** The targets of links: headings and named anchors. */
function anchorsIn(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, words]) =>
    words!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, name]) => name!)]
}

describe('the index', () => {
  test('names each id once', () => {
    const ids = index.map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(100)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })

  test('leads to the file and the place that describe the id', () => {
    const wrong = index.filter(({ id, file, link }) => {
      const text = texts.get(`${folder}/${file}`) ?? ''
      const isDescribed = text.includes(`<a id="${id.toLowerCase()}"></a>**${id} `)
      return link !== `${file}#${id.toLowerCase()}` || !isDescribed
    })
    expect(wrong).toEqual([])
  })

  test('has every id that is described', () => {
    const described = [...texts].flatMap(([file, text]) =>
      [...text.matchAll(/<a id="([a-z]{1,2}-\d\d)">/g)].map(([, id]) => `${id!.toUpperCase()} in ${file}`),
    )
    const indexed = index.map(({ id, file }) => `${id} in ${folder}/${file}`)
    expect(described.toSorted()).toEqual(indexed.toSorted())
  })
})

test.each(files)('%s links to files and anchors that exist', (file) => {
  const links = [...texts.get(file)!.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
  const broken = links.filter((target) => {
    const [path = '', anchor] = target.split('#')
    const linked = path === '' ? file : posix.join(folder, path)
    if (!existsSync(join(root, linked))) return true
    return anchor !== undefined && !anchorsIn(readText(linked)).includes(anchor)
  })
  expect(broken).toEqual([])
})

test('files and anchors of docs/product that source files cite exist', () => {
  const sources = filesBelow('.', /\.(tsx?|mjs|css|sql|as)$/)
  const broken = sources.flatMap((source) =>
    [...readText(source).matchAll(/docs\/product\/([\w-]+\.md)(?:#([\w-]+))?/g)]
      .filter(([, file, anchor]) => {
        const text = texts.get(`${folder}/${file!}`)
        return text === undefined || (anchor !== undefined && !anchorsIn(text).includes(anchor))
      })
      .map(([cited]) => `${source}: ${cited}`),
  )
  expect(broken).toEqual([])
})

test('no source file cites a document that is not in the repository', () => {
  const absent = ['SPEC', 'CHECKLIST', 'DECISIONS', 'HOUSE', 'STACK'].map((name) => `${name}.md`)
  const sources = filesBelow('.', /\.(tsx?|mjs|css|sql|as|json|md)$/)
  const citing = sources.filter((source) => {
    const text = readText(source)
    return absent.some((name) => text.includes(name))
  })
  expect(citing).toEqual([])
})

test('ids that source files cite are described', () => {
  const ids = new Set(index.map(({ id }) => id))
  const sources = filesBelow('.', /\.(tsx?|mjs|css|sql|as)$/).filter((source) => !source.startsWith('tools/'))
  const unknown = sources.flatMap((source) =>
    [...readText(source).matchAll(/docs\/product\/[\w-]+\.md[^\n*]*?\b([A-Z]{1,2}-\d\d)\b/g)]
      .filter(([, id]) => !ids.has(id!))
      .map(([, id]) => `${source}: ${id!}`),
  )
  expect(unknown).toEqual([])
})

test('a decision has its number and its title in its first line', () => {
  const decisions = filesBelow('docs/decisions', /^\d{3}-.+\.md$/)
  expect(decisions.length).toBeGreaterThan(70)
  const titled = (file: string) => readText(file).startsWith(`# ${posix.basename(file).slice(0, 3)}. `)
  expect(decisions.filter((file) => !titled(file))).toEqual([])
})

test('bench/README.md lists every measure', () => {
  const [, list] = /const measures\b[^{]*\{([^}]+)\}/.exec(readText('bench/run.ts'))!
  const names = [...list!.matchAll(/^ {2}(\w+),$/gm)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(30)
  const text = readText('bench/README.md')
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})
