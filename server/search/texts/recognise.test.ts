/** Recognition with fake programs, and with the real ones where they are installed. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { findRecogniser, type Programs } from './recognise.ts'

const folder = temporaryFolder()

function program(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

const draws = 'case "$*" in -v) exit 0;; esac; printf "page %s" "$6"'
const reads =
  'case "$*" in --list-langs) printf "List\\nrus\\nkaz\\n"; exit 0;; esac; printf "%s with %s" "$(cat)" "$4"'
const standIns = (change: Partial<Programs> = {}): Programs => ({
  pdftoppm: program('draws', draws),
  tesseract: program('reads', reads),
  ...change,
})
const never = () => new AbortController().signal

describe('text recognition with stand-ins', () => {
  test('draws and reads each page, in the installed languages', async () => {
    const recogniser = await findRecogniser(standIns())
    expect(await recogniser!.recognise('/a.pdf', 2, never())).toEqual([
      'page 1 with rus+kaz',
      'page 2 with rus+kaz',
    ])
  })

  test('reads at most 50 pages', async () => {
    const recogniser = await findRecogniser(standIns())
    expect(await recogniser!.recognise('/a.pdf', 60, never())).toHaveLength(50)
  })

  test('is not available without one of its programs', async () => {
    expect(await findRecogniser(standIns({ tesseract: '/nowhere/tesseract' }))).toBeNull()
    expect(await findRecogniser(standIns({ pdftoppm: '/nowhere/pdftoppm' }))).toBeNull()
  })

  test('fails when its program fails', async () => {
    const broken = program('breaks', 'case "$*" in -v) exit 0;; esac; exit 3')
    const recogniser = await findRecogniser(standIns({ pdftoppm: broken }))
    await expect(recogniser!.recognise('/a.pdf', 1, never())).rejects.toThrow('ended with 3')
  })

  test('is killed when the product stops', async () => {
    const hangs = program('hangs', 'case "$*" in -v) exit 0;; esac; exec sleep 600')
    const recogniser = await findRecogniser(standIns({ pdftoppm: hangs }))
    const stopping = new AbortController()
    const reading = recogniser!.recognise('/a.pdf', 1, stopping.signal)
    stopping.abort()
    await expect(reading).rejects.toThrow('SIGKILL')
  })
})

const installed = await findRecogniser()

test.skipIf(installed === null)(
  'text recognition with the installed programs reads a page',
  { timeout: 300_000 },
  async () => {
    const path = join(folder, 'page.pdf')
    writeFileSync(path, makePdf(['Supply agreement number 14'], ['Second page']))
    const pages = await installed!.recognise(path, 2, never())
    expect(pages[0]).toContain('Supply agreement')
    expect(pages[1]).toContain('Second')
  },
)
