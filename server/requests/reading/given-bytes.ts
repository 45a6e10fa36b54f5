/** Sends bytes as a file: writes them to a temporary file that is deleted after the download. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GivenFile } from '../../http/files.ts'

export async function giveBytes(
  bytes: Uint8Array,
  { name, mediaType }: Pick<GivenFile, 'name' | 'mediaType'>,
): Promise<GivenFile> {
  const folder = await mkdtemp(join(tmpdir(), 'kelisim-given-'))
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  return { path, size: bytes.length, name, mediaType, giveBack: () => rm(folder, { recursive: true }) }
}
