/** Facts with one home only: numbers of statuses, addresses of pages, and which slice writes which table. */
import { expect, test } from 'vitest'
import { pages } from '@kelisim/domain/pages.ts'
import { filesBelow, readJson, readText } from './source-files.ts'

const isTest = (file: string) => /\.test\.tsx?$|(^|\/)testing[^/]*$/.test(file)
const isSource = (file: string) => !isTest(file) && !file.includes('/dist/')
const sources = ['server', 'domain', 'web', 'demo'].flatMap((folder) => filesBelow(folder, /\.tsx?$/))

/** Each line of the files in which the pattern occurs. */
function linesWith(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, i) => (pattern.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
  )
}

const statusLists = [
  // SQL: status in (1, 2, 32)
  /\b(status|type)\b\W*(not )?in \(\s*\d/,
  // SQL: p.status <> 6, p.type & 6564
  /\b(\w\.(status|type) =|(status|type) (<>|&)) \d/,
  // kysely: .where('status', 'in', [1, 2])
  /'(\w+\.)?(status|type)',\s*'[^']+',\s*\[?\s*\d/,
  // const live = [1, 2, 32], of bits only
  /\[(1|2|4|8|16|32|64|128|256|512|1024)(, (2|4|8|16|32|64|128|256|512|1024)){2,}\]/,
  // step.pointType !== 0
  /\bpointType [!=]== \d/,
  // A mask of several types of points.
  /= (2980|4228|6564|7076);?$/,
]

test('numbers of statuses and types are named in domain, not in queries', () => {
  const files = sources.filter((file) => isSource(file) && file !== 'domain/requests/status.ts')
  expect(statusLists.flatMap((pattern) => linesWith(files, pattern))).toEqual([])
})

test('sets of statuses have a name in domain/requests/status.ts', () => {
  const names =
    'New|InProgress|Rejected|Completed|Revoked|ValidationFail|Signed|Terminat\\w+|Waiting|Validation|ValidationError'
  const list = new RegExp(`[[(]'(?:${names})', (?:'(?:${names})'|\\.\\.\\.)`)
  const typed = [
    "['Signed', 'Completed']",
    "of('New', 'InProgress')",
    "numbers(['Waiting', 'ValidationError'])",
  ]
  expect(typed.filter((line) => !list.test(line))).toEqual([])
  const files = sources.filter((file) => isSource(file) && file !== 'domain/requests/status.ts')
  expect(linesWith(files, list)).toEqual([])
  // Comparing with two members of a set one after the other writes the set a second time.
  const asked = /=== '(Waiting|Validation|ValidationError)' \|\| .*=== '(Waiting|Validation|ValidationError)'/
  expect("s === 'Waiting' || s === 'ValidationError'").toMatch(asked)
  expect(linesWith(files, asked)).toEqual([])
})

test('no list that the server searches offers options that do not fit the typed text', () => {
  const files = sources.filter((file) => isSource(file) && file.startsWith('web/'))
  expect(linesWith(files, /filter=\{\(\{ options \}\) => options\}/)).toEqual([])
})

test('the test itself detects a list of numbers', () => {
  const bad = [
    'and r.status in (1, 2, 32)',
    'sql`type not in (64, 128, 512)`',
    ".where('status', 'in', [2, 32, 64])",
    'const live = [1, 2, 32, 64]',
    'const outside = 6564',
    'where p.status <> 6',
    'if (pointType === 1)',
  ]
  expect(bad.filter((line) => !statusLists.some((pattern) => pattern.test(line)))).toEqual([])
})

/** Every address in domain/pages.ts as far as it is fixed; one that goes on with an id ends with a slash. */
const fixedAddresses = addressesIn(
  readText('domain/pages.ts').replaceAll(
    /\$\{pages\.(\w+)\}/g,
    (_, name: string) => pages[name as keyof typeof pages],
  ),
)

function addressesIn(source: string): string[] {
  return [...new Set([...source.matchAll(/['`](\/[^'`?#$]*)/g)].map((match) => match[1]!))]
}

/** Addresses written out: the whole one, or one that goes on with an id. Files and calls beside a page have longer names. */
const typedAddress = new RegExp(
  fixedAddresses
    .map((address) => (address.endsWith('/') ? `['"\`]${address}` : `['"\`]${address}['"\`?#$]`))
    .join('|'),
)

test('the test itself detects every address of a page', () => {
  expect(fixedAddresses.length).toBeGreaterThan(Object.keys(pages).length)
  expect(Object.values(pages).filter((page) => !typedAddress.test(`'${page}'`))).toEqual([])
  const typed = ['`/signingRequests/${id}`', "'/portal/one'", '`/quick#${secret}`', "'/invitations/one'"]
  expect(typed.filter((line) => !typedAddress.test(line))).toEqual([])
  const others = ["'/log/checkpoint'", "'/verify-worker.js'", "'/quick-start'"]
  expect(others.filter((line) => typedAddress.test(line))).toEqual([])
})

/** The robots.txt rules use prefixes of addresses. */
const namesBeginnings = ['server/http/site/landing-page.ts']

test('the server takes the addresses of pages from domain/pages.ts', () => {
  const files = sources.filter((file) => file.startsWith('server/') && isSource(file))
  const others = files.filter((file) => !namesBeginnings.includes(file))
  expect(linesWith(others, typedAddress)).toEqual([])
})

test('the site also takes the addresses that it gives to people from domain/pages.ts', () => {
  const files = sources.filter((file) => file.startsWith('web/') && isSource(file))
  expect(linesWith(files, /location\.origin\}\//)).toEqual([])
})

test('what is exported is used somewhere', () => {
  const packages = (readJson('package.json') as { workspaces: string[] }).workspaces
  const files = [...packages, 'scripts', 'start'].flatMap((folder) => filesBelow(folder, /\.tsx?$/))
  const texts = [...files, 'main.ts'].map((file) => ({ file, text: readText(file) }))
  const counts = new Map<string, number>()
  for (const { text } of texts)
    for (const [word] of text.matchAll(/[\p{L}_$][\w$]*/gu)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const exported = texts.flatMap(({ file, text }) =>
    [...text.matchAll(/^export (?:async )?(?:const|function\*?|type|class) (\w+)/gm)].map(([, name]) => ({
      file,
      name: name!,
    })),
  )
  expect(exported.length).toBeGreaterThan(1000)
  expect(exported.filter(({ name }) => counts.get(name) === 1)).toEqual([])
})

test('the landing writes only its own tables', () => {
  const schema = readText('db/schema/landing.ts')
  const own = [...schema.matchAll(/^ {2}(\w+): \{/gm)].map((match) => match[1]!)
  expect(own).toContain('landingTransactions')
  const inSql = own.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  const files = filesBelow('server/landing', /\.ts$/).filter(isSource)
  const written = files.flatMap((file) => {
    const text = readText(file)
    const calls = text.matchAll(/\.(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)/g)
    const statements = text.matchAll(
      /\b(?:insert into|delete from|update) (\w+)\b(?= (?:set|where|\()|[`;])/g,
    )
    return [...calls, ...statements].map((match) => `${file}: ${match[1]}`)
  })
  expect(written.length).toBeGreaterThan(3)
  const isOwn = (line: string) => [...own, ...inSql].some((name) => line.endsWith(`: ${name}`))
  expect(written.filter((line) => !isOwn(line))).toEqual([])
})

test('properties are on lines of their own instead of inside spreads', () => {
  const files = filesBelow('.', /\.tsx?$/).filter((file) => !file.includes('dist/'))
  expect(linesWith(files, /\.\.\.\{/).filter((line) => !line.startsWith('tools/facts.test.ts'))).toEqual([])
})
