/** The whole architecture is the two tables below: who may import whom. */
import { dirname, join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, readJson, readText } from './source-files.ts'

/** Each package may import these packages of ours, and from outside only what the pattern lets through. */
const packages: Record<string, { ours: string[]; inTests?: string[]; outside: RegExp }> = {
  domain: { ours: [], outside: /^zod\/mini$/ },
  signature: { ours: [], outside: /^(?!node:|react|fastify|assemblyscript|@noble)/ },
  texts: { ours: [], outside: /^node:/ },
  db: { ours: ['texts'], outside: /^(node:|kysely|pg)/ },
  server: {
    ours: ['domain', 'signature', 'texts', 'db'],
    // documents to upload
    inTests: ['demo'],
    outside: /^(?!react|@mantine|@tanstack|vite$)/,
  },
  'sign-in': {
    ours: ['domain', 'texts', 'db'],
    // it is given the engine by main.ts; its tests show real signatures
    inTests: ['signature'],
    outside: /^(?!react|@mantine|@tanstack|fastify|vite$)/,
  },
  'stand-ins': {
    ours: ['domain', 'signature', 'texts'],
    outside: /^(?!react|@mantine|@tanstack|fastify|vite$)/,
  },
  demo: { ours: ['domain', 'texts', 'db', 'server', 'sign-in', 'stand-ins'], outside: /^(node:|kysely)/ },
  web: { ours: ['domain', 'signature', 'texts'], outside: /^(?!node:|fastify|pg|kysely)/ },
  e2e: {
    ours: ['domain', 'signature', 'texts', 'stand-ins', 'demo'],
    outside: /^(node:|@playwright|@axe-core|vite$)/,
  },
  bench: { ours: ['domain', 'signature', 'texts', 'db', 'server', 'sign-in', 'demo'], outside: /./ },
  tools: { ours: ['domain', 'texts'], outside: /^node:/ },
}

/** A slice (the same folder name in domain, server and web) may import the slices before it, never those after it. */
const slices = [
  'signatures',
  'identity',
  'portal',
  'options',
  'subscriptions',
  'documents',
  'rich-text',
  'classifiers',
  'points',
  'routes',
  'requests',
  'outputs',
  'checking',
  'verify',
  'notifications',
  'mailbox',
  'landing',
  'help',
  'integration',
  'operator',
]

/** What every test may use, and what only builds: neither is part of the product. */
const forTests = /^(vitest|fast-check)(\/|$)/
const isTest = (file: string) => /\.(test|e2e)\.tsx?$|\/testing(\/|[\w-]*\.tsx?$)/.test(file)
const isBuild = (file: string) => /(\.config|\/build)\.ts$/.test(file)

type Import = { file: string; target: string; folder: string | null }

/** Every import: of ours by its path from the root, of others by its name. */
const imports: Import[] = Object.keys(packages).flatMap((name) =>
  filesBelow(name, /\.tsx?$/).flatMap((file) =>
    importsOf(readText(file)).map((target) => ({ file, ...resolved(file, target) })),
  ),
)

function importsOf(source: string): string[] {
  const patterns = [
    /(?:^|\n)(?:import|export)\b[^'"`;]*?from\s+'([^']+)'/g,
    /(?<![-\w])import\s*\(?\s*'([^']+)'/g,
  ]
  return patterns.flatMap((pattern) => [...source.matchAll(pattern)].map((match) => match[1]!))
}

function resolved(file: string, target: string): { target: string; folder: string | null } {
  if (target.startsWith('.')) return ours(join(dirname(file), target))
  if (target.startsWith('@kelisim/')) return ours(target.slice('@kelisim/'.length))
  return { target, folder: null }
}

function ours(path: string): { target: string; folder: string } {
  return { target: path, folder: path.split(sep)[0]! }
}

const packageOf = (file: string) => file.split(sep)[0]!

describe.each(Object.entries(packages))('%s', (name, rule) => {
  const mine = imports.filter((i) => packageOf(i.file) === name)

  test('imports only the packages of ours that it may', () => {
    const mayImport = ({ file, folder }: Import) =>
      folder === null ||
      folder === name ||
      rule.ours.includes(folder) ||
      (isTest(file) && rule.inTests?.includes(folder))
    expect(mine.filter((i) => !mayImport(i))).toEqual([])
  })

  test('imports from outside only what it may', () => {
    const product = mine.filter((i) => i.folder === null && !isTest(i.file) && !isBuild(i.file))
    expect(product.filter((i) => !rule.outside.test(i.target) && !forTests.test(i.target))).toEqual([])
  })

  test('declares every package it imports, itself or by a package of ours that it stands on', () => {
    const own = declaredIn(`${name}/package.json`)
    const through = own.filter((d) => d.startsWith('@kelisim/')).map((d) => d.slice('@kelisim/'.length))
    const declared = [
      own,
      declaredIn('package.json'),
      ...through.map((d) => declaredIn(`${d}/package.json`)),
    ].flat()
    const used = mine
      .filter((i) => !i.target.startsWith('node:') && i.folder !== name)
      .map((i) => (i.folder === null ? nameOf(i.target) : `@kelisim/${i.folder}`))
    expect([...new Set(used)].filter((dependency) => !declared.includes(dependency))).toEqual([])
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

test('what runs in a browser takes no file that needs Node', () => {
  expect(
    imports.filter((i) => packageOf(i.file) === 'web' && i.target === join('texts', 'server.ts')),
  ).toEqual([])
})

test('no slice imports a slice after it', () => {
  const wrong = imports.filter(({ file, target, folder }) => {
    const [from, to] = [slices.indexOf(file.split(sep)[1]!), slices.indexOf(target.split(sep)[1]!)]
    return folder !== null && from >= 0 && to > from
  })
  expect(wrong).toEqual([])
})

test('stand-ins know each other by their addresses alone, as the real ones do', () => {
  const wrong = imports.filter(({ file, target, folder }) => {
    const [from, to] = [file.split(sep)[1]!, target.split(sep)[1]!]
    return (
      packageOf(file) === 'stand-ins' &&
      ['certification-centre', 'desktop-signer', 'phone'].includes(from) &&
      folder === 'stand-ins' &&
      to !== 'shared' &&
      from !== to &&
      !isTest(file)
    )
  })
  expect(wrong).toEqual([])
})

test('what all slices stand on knows none of them', () => {
  const foundations = [
    'server/http',
    'server/jobs',
    'server/mail',
    'web/ui',
    'web/i18n',
    'web/shell',
    'db/schema',
  ]
  const isFoundation = (file: string) => foundations.some((folder) => file.startsWith(folder + sep))
  const wrong = imports.filter(
    ({ file, target, folder }) =>
      isFoundation(file) &&
      folder === packageOf(file) &&
      !isTest(file) &&
      slices.includes(target.split(sep)[1]!),
  )
  expect(wrong).toEqual([])
})

test('the tables above speak of packages that exist, and of all of them', () => {
  const { workspaces } = readJson('package.json') as { workspaces: string[] }
  expect(Object.keys(packages).toSorted()).toEqual(workspaces.toSorted())
})

test('importing is seen in whatever way it is written', () => {
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
