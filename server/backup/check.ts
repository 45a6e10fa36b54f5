/** Reads a whole backup and compares every byte with its manifest. Needs no database. */
import {
  fail,
  filesFolder,
  listedFiles,
  hashOf,
  pathByHash,
  readManifest,
  unpack,
  type Manifest,
} from './manifest.ts'

export async function checkBackup(
  folder: string,
  say: (line: string) => void = () => {},
): Promise<{ manifest: Manifest; sha256: string }> {
  const read = await readManifest(folder)
  const { manifest } = read
  for (const table of manifest.tables) {
    const { content, done } = unpack(folder, table)
    content.resume()
    await done
  }
  const missing = new Set(manifest.files.missing)
  const good = new Set<string>()
  for await (const { id, sha256, size } of listedFiles(folder, manifest)) {
    if (missing.has(id) || good.has(sha256)) continue
    const found = await hashOf(pathByHash(filesFolder(folder), sha256))
    if (!found) fail(`The file ${id} is missing in the backup`)
    if (found.sha256 !== sha256 || found.bytes !== size) fail(`The file ${id} is not what was backed up`)
    good.add(sha256)
  }
  say(`every hash agrees: ${manifest.tables.length} tables, ${good.size} files`)
  return read
}
