/** The packages the product is delivered with, from the lock file: the same list on every machine. */
import { readJson } from './source-files.ts'

export type ProductionPackage = {
  name: string
  version: string
  /** As the package states it: an SPDX licence, or an expression of several. */
  licence: string
  /** The hash by which npm verifies it: algorithm, a hyphen, base64. */
  integrity: string
  /** Where npm puts it. */
  path: string
  /** Installed only on some platforms, so its files may be absent. */
  isOptional: boolean
}

type LockEntry = {
  version?: string
  license?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
}

/** Packages that state no SPDX licence; it was read in their licence file. */
const readInTheirFiles: Readonly<Record<string, string>> = {
  duck: 'BSD-2-Clause',
  'png-js': 'MIT',
}

/** Every package once for each version, sorted by name. */
export function productionPackages(): ProductionPackage[] {
  const { packages } = readJson('package-lock.json') as { packages: Record<string, LockEntry> }
  const found = new Map<string, ProductionPackage>()
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || entry.link || entry.dev || entry.devOptional) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const version = entry.version ?? ''
    const licence = readInTheirFiles[name] ?? entry.license ?? 'not stated'
    found.set(`${name} ${version}`, {
      name,
      version,
      licence,
      integrity: entry.integrity ?? '',
      path,
      isOptional: entry.optional === true,
    })
  }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item)
}

/** The licences allowed in the product. None of them requires us to publish our own code. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
  'Zlib',
])

/** Of licences joined by OR one allowed licence is enough; of those joined by AND all must be allowed. */
export function isAllowedLicence(expression: string): boolean {
  const alternatives = expression.replaceAll(/[()]/g, '').split(' OR ')
  return alternatives.some((one) => one.split(' AND ').every((licence) => allowed.has(licence)))
}
