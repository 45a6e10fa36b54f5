/** The bill of materials names every delivered package with its licence and its hash, and is the same each time. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { productionPackages } from './production-packages.ts'
import { readJson, root } from './source-files.ts'

type Bill = {
  bomFormat: string
  specVersion: string
  serialNumber: string
  metadata: { component: { name: string; version: string } }
  components: {
    'bom-ref': string
    name: string
    version: string
    purl: string
    hashes: { alg: string; content: string }[]
    licenses: ({ license: { id: string } } | { expression: string })[]
  }[]
}

function made(): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts', 'build', 'sbom.ts')],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

const text = made()
const bill = JSON.parse(text) as Bill

test('the bill of materials is CycloneDX of this version of the product, and the same each time', () => {
  const { version } = readJson('package.json') as { version: string }
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { name: 'kelisim', version } },
  })
  expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(made()).toBe(text)
})

test('the bill of materials has exactly the packages that NOTICE lists', () => {
  const delivered = productionPackages().map(({ name, version }) => `${name} ${version}`)
  expect(bill.components.map(({ name, version }) => `${name} ${version}`)).toEqual(delivered)
})

test('the bill of materials has one address, one licence and one hash of each package', () => {
  for (const { name, version, purl, hashes, licenses, ...rest } of bill.components) {
    expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`)
    expect(rest['bom-ref']).toBe(purl)
    expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) as string }])
    expect(licenses).toHaveLength(1)
  }
  expect(new Set(bill.components.map(({ purl }) => purl)).size).toBe(bill.components.length)
})
