/** The lock file must install anywhere, on any platform, from any registry. */
import { expect, test } from 'vitest'
import { readJson, readText } from './source-files.ts'

type Entry = {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  optionalDependencies?: Record<string, string>
}
const { packages } = readJson('package-lock.json') as { packages: Record<string, Entry> }

test('every optional dependency that is named is also an entry, otherwise npm ci would refuse the lock', () => {
  const paths = Object.keys(packages)
  const isThere = (name: string) =>
    paths.some((path) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`))
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isThere(name))
      .map((name) => `${name} (optional for ${path || 'the project'})`),
  )
  expect(missing).toEqual([])
})

test('no registry is named: packages come from the one that npm is set to', () => {
  expect(readText('package-lock.json')).not.toMatch(/https?:\/\/[^"]*\.tgz/)
  const addresses = Object.values(packages).filter((entry) => entry.resolved?.includes('://'))
  expect(addresses).toEqual([])
})

test('every package from outside is pinned by its hash', () => {
  const unheld = Object.entries(packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link)
    .filter(([, entry]) => entry.integrity === undefined)
    .map(([path]) => path)
  expect(unheld).toEqual([])
})

test('versions are exact wherever we name one', () => {
  const manifests = Object.keys(packages).filter((path) => !path.includes('node_modules'))
  const named = manifests.flatMap((path) => {
    const manifest = readJson(path === '' ? 'package.json' : `${path}/package.json`) as Record<
      string,
      unknown
    >
    return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.entries((manifest[kind] ?? {}) as Record<string, string>),
    )
  })
  const loose = named.filter(
    ([name, version]) => !name.startsWith('@kelisim/') && !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  )
  expect(loose).toEqual([])
})
