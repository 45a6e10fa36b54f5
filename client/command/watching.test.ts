/** People who share a watched folder must not be able to do more through it than send a document. */
import { lstatSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import type { Kelisim } from '../client.ts'
import { lookAt } from './watching.ts'

const uploaded: string[] = []
const kelisim = {
  uploadDocument: async ({ name }: { name: string }) => {
    uploaded.push(name)
    return { id: 'document' }
  },
  sendByRoute: async () => ({ id: 'request' }),
  request: async () => ({ status: 'Completed' }),
  download: async () => ({ name: null, bytes: new TextEncoder().encode('signed') }),
} as never as Kelisim

const later = new Date('2026-11-16T06:00:00Z')

async function scanned(folder: string): Promise<string[]> {
  const events: string[] = []
  for await (const { file, state } of lookAt(folder, { routeId: 'r' }, kelisim, later))
    events.push(`${file} ${state}`)
  return events
}

function put(folder: string, name: string, content: string): void {
  writeFileSync(join(folder, name), content)
  utimesSync(join(folder, name), new Date(0), new Date('2026-01-01T00:00:00Z'))
}

test('a file behind a symbolic link is not sent, and a broken link does not stop the others', async () => {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
  put(elsewhere, 'secret.pdf', 'secret')
  symlinkSync(join(elsewhere, 'secret.pdf'), join(folder, 'a.pdf'))
  symlinkSync(join(elsewhere, 'nothing.pdf'), join(folder, 'b.pdf'))
  put(folder, 'c.pdf', 'document')
  uploaded.length = 0
  expect(await scanned(folder)).toEqual(['c.pdf sent', 'c.pdf saved'])
  expect(uploaded).toEqual(['c.pdf'])
})

test('a signed document is not written through a symbolic link in the folder', async () => {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
  put(elsewhere, 'precious', 'precious')
  for (const name of ['a.pdf.signed.zip', 'a.pdf.signed.zip.tmp', '.kelisim.json.tmp'])
    symlinkSync(join(elsewhere, 'precious'), join(folder, name))
  put(folder, 'a.pdf', 'document')
  expect(await scanned(folder)).toEqual(['a.pdf sent', 'a.pdf saved'])
  expect(readFileSync(join(elsewhere, 'precious'), 'utf8')).toBe('precious')
  expect(lstatSync(join(folder, 'a.pdf.signed.zip')).isFile()).toBe(true)
})

test('a journal that names another folder writes nothing there', async () => {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
  const entry = { requestId: 'request', modifiedAt: 1, state: 'sent' }
  const names = ['../x.pdf', join(elsewhere, 'x.pdf'), '..\\x.pdf', '']
  writeFileSync(
    join(folder, '.kelisim.json'),
    JSON.stringify(Object.fromEntries(names.map((name) => [name, entry]))),
  )
  expect(await scanned(folder)).toEqual([])
})
