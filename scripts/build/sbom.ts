/**
 * `npm run -s sbom` prints the bill of materials of the product as CycloneDX JSON: every package it is delivered with, by
 * the lock file, with its version, licence and hash. The same lock gives the same bytes.
 */
import { createHash } from 'node:crypto'
import packageJson from '../../package.json' with { type: 'json' }
import { productionPackages, type ProductionPackage } from '../../tools/production-packages.ts'

process.stdout.write(`${JSON.stringify(billOf(productionPackages()), null, 2)}\n`)

function billOf(packages: readonly ProductionPackage[]): object {
  const components = packages.map(componentOf)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([packageJson.version, components]))}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': purlOf(packageJson),
        name: packageJson.name,
        version: packageJson.version,
        description: packageJson.description,
        licenses: [{ license: { id: packageJson.license } }],
        purl: purlOf(packageJson),
      },
    },
    components,
  }
}

function componentOf({ name, version, licence, integrity, isOptional }: ProductionPackage): object {
  const [algorithm, hash] = integrity.split('-') as [string, string]
  return {
    type: 'library',
    'bom-ref': purlOf({ name, version }),
    name,
    version,
    scope: isOptional ? 'optional' : 'required',
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') }],
    // An expression of several licences is not the id of one.
    licenses: /[ (]/.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }],
    purl: purlOf({ name, version }),
  }
}

/** The address of a package as purl writes it: the @ of a scope is encoded. */
function purlOf({ name, version }: { name: string; version: string }): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** The serial number: the same contents have the same UUID, of version 8, whose bits are free to choose. */
function uuidOf(contents: string): string {
  const hex = createHash('sha256').update(contents).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
