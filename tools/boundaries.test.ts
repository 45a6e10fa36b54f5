/** Holds the code to tools/architecture.ts: who may import whom, in which order, without cycles. */
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folders, foundations, mostFilesInFolder, packages, slices } from './architecture.ts'
import { filesBelow, isFolder, readJson, readText } from './source-files.ts'

/** Test libraries may be used by every test, and build tools by every build script. */
const testLibrary = /^(vitest|fast-check)(\/|$)/
const isTest = (file: string) => /\.(test|e2e)\.tsx?$|\/testing(\/|[\w-]*\.tsx?$)/.test(file)
const isBuild = (file: string) => /(\.config|\/build)\.ts$/.test(file)

/** `target`: a path from the root for a file of ours, otherwise the name of a package. */
type Import = { file: string; target: string; package: string | null }

const files = Object.keys(packages).flatMap((name) => filesBelow(name, /\.tsx?$/))

/** Files outside the packages: those that assemble the product, and commands. */
const outside = ['start', 'scripts'].flatMap((name) => filesBelow(name, /\.tsx?$/))

const imports: Import[] = [...files, ...outside].flatMap((file) =>
  importsOf(readText(file)).map((target) => ({ file, ...resolved(file, target) })),
)

/** Type-only and dynamic imports count like any other. */
function importsOf(source: string): string[] {
  const patterns = [
    /(?:^|\n)(?:import|export)\b[^'"`;]*?from\s+'([^']+)'/g,
    /(?<![-\w])import\s*\(?\s*'([^']+)'/g,
  ]
  return patterns.flatMap((pattern) => [...source.matchAll(pattern)].map((match) => match[1]!))
}

function resolved(file: string, target: string): { target: string; package: string | null } {
  if (target.startsWith('.')) return ours(join(dirname(file), target))
  if (target.startsWith('@kelisim/')) return ours(target.slice('@kelisim/'.length))
  return { target, package: null }
}

function ours(path: string): { target: string; package: string } {
  return { target: path, package: packageOf(path) }
}

function packageOf(file: string): string {
  return file.split(sep)[0]!
}

/** The folder of a file inside its package. */
function folderOf(file: string): string {
  return relative(packageOf(file), dirname(file)) || '.'
}

describe.each(Object.entries(packages))('%s', (name, rule) => {
  const mine = imports.filter((i) => packageOf(i.file) === name)

  test('imports only those of our packages that it may', () => {
    const mayImport = ({ file, package: of }: Import) =>
      of === null || of === name || rule.ours.includes(of) || (isTest(file) && rule.inTests?.includes(of))
    expect(mine.filter((i) => !mayImport(i))).toEqual([])
  })

  test('imports from npm and Node only what it may', () => {
    const product = mine.filter((i) => i.package === null && !isTest(i.file) && !isBuild(i.file))
    expect(product.filter((i) => !rule.external.test(i.target) && !testLibrary.test(i.target))).toEqual([])
  })

  test('declares every package it imports, itself or by a package of ours that it depends on', () => {
    const own = declaredIn(`${name}/package.json`)
    const through = own.filter((d) => d.startsWith('@kelisim/')).map((d) => d.slice('@kelisim/'.length))
    const declared = [
      own,
      declaredIn('package.json'),
      ...through.map((d) => declaredIn(`${d}/package.json`)),
    ].flat()
    const used = mine
      .filter((i) => !i.target.startsWith('node:') && i.package !== name)
      .map((i) => (i.package === null ? nameOf(i.target) : `@kelisim/${i.package}`))
    expect([...new Set(used)].filter((dependency) => !declared.includes(dependency))).toEqual([])
  })

  test('has every folder in the list, and no other', () => {
    const present = new Set(files.filter((file) => packageOf(file) === name).map(folderOf))
    expect([...present].toSorted()).toEqual([...folders[name]!].toSorted())
  })

  test('no folder imports a folder after it', () => {
    const order = (file: string) => folders[name]!.indexOf(folderOf(file))
    const wrong = mine.filter(
      ({ file, target, package: of }) => of === name && !isTest(file) && order(target) > order(file),
    )
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
  })
})

function declaredIn(path: string): string[] {
  const manifest = readJson(path) as Record<string, Record<string, string> | undefined>
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies']
  return kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}))
}

function nameOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')
}

test('no file imports itself by way of others, not even for a type', () => {
  const all = [...files, ...outside]
  const targets = new Map(all.map((file) => [file, new Set<string>()]))
  for (const { file, target } of imports) if (targets.has(target)) targets.get(file)!.add(target)
  const isFinished = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      return
    }
    if (isFinished.has(file)) return
    for (const target of targets.get(file)!) visit(target, [...path, file])
    isFinished.add(file)
  }
  for (const file of all) visit(file, [])
  expect(cycles).toEqual([])
})

describe('a slice has one name', () => {
  test.each(['domain', 'server', 'web'])('in %s', (name) => {
    const known = new Set([...slices, ...foundations[name]!])
    const top = new Set(folders[name]!.map((folder) => folder.split('/')[0]!))
    expect([...top].filter((folder) => !known.has(folder))).toEqual([])
  })

  test('in texts, where a file is named after its slice, or after its slice and a part of it', () => {
    const names = filesBelow('texts/ru', /\.json$/).map((file) =>
      file.slice('texts/ru/'.length, -'.json'.length),
    )
    const isKnown = (name: string) =>
      foundations['texts']!.includes(name) ||
      slices.some((slice) => name === slice || name.startsWith(`${slice}-`))
    expect(names.filter((name) => !isKnown(name))).toEqual([])
  })
})

test('what runs in a browser imports no file that needs Node', () => {
  const nodeOnly = ['texts/server.ts', 'pdf/fonts.ts', 'pdf/make-pdf.ts', 'pdf/type-faces.ts']
  const wrong = imports.filter((i) => packageOf(i.file) === 'web' && nodeOnly.includes(i.target))
  expect(wrong).toEqual([])
})

test('stand-ins do not import each other: they know only addresses, as the real services do', () => {
  const standIns = ['certification-centre', 'desktop-signer', 'phone']
  const wrong = imports.filter(({ file, target, package: of }) => {
    const [from, to] = [file.split(sep)[1]!, target.split(sep)[1]!]
    return of === 'stand-ins' && standIns.includes(from) && to !== 'shared' && from !== to && !isTest(file)
  })
  expect(wrong.filter(({ file }) => packageOf(file) === 'stand-ins')).toEqual([])
})

test('no folder has too many files', () => {
  const counted = [...files, ...outside].filter((file) => !isTest(file) && !file.endsWith('.d.ts'))
  const crowded = [...Map.groupBy(counted, dirname)].filter(([, all]) => all.length > mostFilesInFolder)
  expect(crowded.map(([folder, all]) => `${folder}: ${all.length}`)).toEqual([])
})

test('the table of packages has all workspaces and nothing else', () => {
  const { workspaces } = readJson('package.json') as { workspaces: string[] }
  expect(Object.keys(packages).toSorted()).toEqual(workspaces.toSorted())
})

test('the top of the repository has only packages, and folders that are known not to be packages', () => {
  const others = ['deploy', 'docs', 'help', 'integrations', 'scripts', 'start']
  const present = new Set(
    filesBelow('.', /./)
      .map(packageOf)
      .filter((name) => isFolder(name)),
  )
  const known = new Set([...Object.keys(packages), ...others])
  expect([...present].filter((name) => !known.has(name) && !name.startsWith('.'))).toEqual([])
})

test('createApp and main.ts, which put the product together, are short enough to read', () => {
  const linesOf = (text: string) => text.trimEnd().split('\n').length
  const [createApp] = /^export async function createApp[^]*?^\}/m.exec(readText('server/app.ts'))!
  expect(linesOf(createApp)).toBeLessThanOrEqual(70)
  expect(linesOf(readText('main.ts'))).toBeLessThanOrEqual(150)
})

test('imports are found in whatever way they are written', () => {
  const source = [
    "import a from './a.ts'",
    "import {\n  b,\n  type C,\n} from 'b'",
    "import type D from './d.ts'",
    "import './e.css'",
    "export * from './f.ts'",
    "const g = await import('./g.ts')",
  ].join('\n')
  expect(new Set(importsOf(source))).toEqual(
    new Set(['./a.ts', 'b', './d.ts', './e.css', './f.ts', './g.ts']),
  )
})
