/** Sends bytes as a file: writes them to a temporary file that is deleted after the download. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServedFile } from '../../http/files.ts'

export async function serveBytes(
  bytes: Uint8Array,
  { name, mediaType }: Pick<ServedFile, 'name' | 'mediaType'>,
): Promise<ServedFile> {
  const folder = await mkdtemp(join(tmpdir(), 'kelisim-served-'))
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  return { path, size: bytes.length, name, mediaType, release: () => rm(folder, { recursive: true }) }
}
