import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeName } from '@kelisim/signature/signer/extensions.ts'
import { writePkcs12 } from '@kelisim/signature/signer/pkcs12.ts'
import { foundNation } from '@kelisim/signature/testing/nation.ts'
import { keyFolder } from './key-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'key-folder-'))
afterAll(() => rmSync(folder, { recursive: true }))

beforeAll(async () => {
  const nation = await foundNation('gost-kz-512', 'Folder')
  const put = async (file: string, commonName: string, organization?: string, password = 'shared') => {
    const subject = makeName({
      commonName,
      country: 'KZ',
      ...(organization !== undefined && { organization }),
    })
    const { key, certificate } = await nation.issue(file, { subject })
    const p12 = writePkcs12({ key, certificates: [certificate.der], friendlyName: file }, password)
    writeFileSync(join(folder, file), p12)
  }
  await put('1.p12', 'ҚАЙРАТОВ', 'ТОО «Б»')
  await put('2.p12', 'ҚАЙРАТОВ')
  await put('3.p12', 'КАЙРАТОВ')
  await put('4.P12', 'ҚАЙРАТОВ', 'ТОО «А»')
  await put('0.p12', 'СКРЫТОВ', undefined, 'its own')
  writeFileSync(join(folder, 'a.txt'), 'not a key')
})

test('keys of one person stand together, personal ones first; those of unknown owners at the end', async () => {
  const files = await keyFolder(folder, 'shared').list()
  expect(files.map(({ name, owner }) => [name, owner?.person, owner?.organization])).toEqual([
    ['3.p12', 'КАЙРАТОВ', null],
    ['2.p12', 'ҚАЙРАТОВ', null],
    ['4.P12', 'ҚАЙРАТОВ', 'ТОО «А»'],
    ['1.p12', 'ҚАЙРАТОВ', 'ТОО «Б»'],
    ['0.p12', undefined, undefined],
  ])
})

test('only keys of the folder are read', async () => {
  const keys = keyFolder(folder, 'shared')
  expect(await keys.read('1.p12')).toBeInstanceOf(Uint8Array)
  for (const name of ['a.txt', '../1.p12', join(folder, '1.p12'), 'none.p12', '']) {
    expect(await keys.read(name)).toBeNull()
  }
  expect(await keyFolder(null, null).list()).toEqual([])
})
