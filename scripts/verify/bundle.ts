/** `--bundle`: opens an evidence bundle from a file of any length, which is checked by the same code as on the check page. */
import { bundleLimits, isSafeName, type BundleReader } from '@kelisim/signature/bundle/bundle.ts'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { UsageError } from './arguments.ts'
import type { BundleFault } from '@kelisim/signature/bundle/bundle-fault.ts'

export type OpenBundle = { files: BundleReader; close: () => void } | { fault: BundleFault }

/** The archive is not trusted: the unpacked size is counted, and names are checked. */
export async function openBundle(path: string): Promise<OpenBundle> {
  const zip = await open(path)
  if (!zip) return { fault: { fault: 'not-a-bundle', of: path } }
  const entries = new Map<string, Entry>()
  const names = new Set<string>()
  const refused = (fault: BundleFault['fault'], of: string): OpenBundle => {
    zip.close()
    return { fault: { fault, of } }
  }
  if (zip.entryCount > bundleLimits.files) return refused('too-much', '')
  let [total, packed] = [0, 0]
  try {
    for (;;) {
      const entry = await nextEntry(zip)
      if (!entry) break
      const { fileName: name } = entry
      const folded = name.normalize('NFC').toLowerCase()
      total += entry.uncompressedSize
      packed += entry.compressedSize
      // overlapping entries unpack to more than the file holds
      if (total > bundleLimits.bytes || packed > zip.fileSize) return refused('too-much', name)
      if (!isSafeName(name)) return refused('unsafe-name', name)
      // on a case-insensitive disk one would replace the other
      if (names.has(folded)) return refused('file-extra', name)
      names.add(folded)
      entries.set(name, entry)
    }
  } catch (error) {
    const isName = error instanceof Error && /path|characters in fileName/i.test(error.message)
    return refused(isName ? 'unsafe-name' : 'not-a-bundle', path)
  }
  return {
    files: { names: [...entries.keys()], read: (name) => piecesOf(zip, entries.get(name)) },
    close: () => zip.close(),
  }
}

async function open(path: string): Promise<ZipFile | null> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new UsageError(`Cannot read ${path}`)
    return null
  }
}

function nextEntry(zip: ZipFile): Promise<Entry | null> {
  return new Promise((resolve, reject) => {
    const onEntry = (entry: Entry) => settle(() => resolve(entry))
    const onEnd = () => settle(() => resolve(null))
    const onError = (error: Error) => settle(() => reject(error))
    const settle = (then: () => void) => {
      zip.off('entry', onEntry).off('end', onEnd).off('error', onError)
      then()
    }
    zip.on('entry', onEntry).on('end', onEnd).on('error', onError)
    zip.readEntry()
  })
}

/** The content of an entry; ends early if it cannot be unpacked, and then its hash does not match. */
async function* piecesOf(zip: ZipFile, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (!entry) return
  try {
    const stream = await zip.openReadStreamPromise(entry)
    for await (const piece of stream) yield piece as Uint8Array
  } catch {
    return
  }
}
