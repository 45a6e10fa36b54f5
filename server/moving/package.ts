/**
 * The layout of a package with one organisation:
 *
 *   DIR/files/ab/abcd…         files by their hash
 *   DIR/documents.copy.gz …    the rows of each table in the format of COPY
 *   DIR/files.list.gz          hash, size, organisation and id of every file
 *   DIR/proofs.copy.gz         where each event stands in the log that is left, with its proof
 *   DIR/manifest.json          written last, with the hashes of all of that
 */
import { join } from 'node:path'
import { z } from 'zod'
import {
  fail,
  hashOf,
  listedFiles,
  Name,
  Packed,
  parsed,
  pathByHash,
  readNoted,
  Sha256,
  unpack,
} from '../backup/manifest.ts'

const MovingManifest = z.object({
  kind: z.literal('organization'),
  format: z.literal(1),
  id: z.uuid(),
  product: z.string(),
  mode: z.enum(['demo', 'production']).nullable(),
  at: z.iso.datetime(),
  organization: z.object({ id: z.uuid(), bin: z.string() }),
  /** The address of the installation that the organisation leaves. */
  from: z.url(),
  migrations: z.array(z.object({ name: z.string(), sha256: Sha256 })),
  tables: z.array(Packed.extend({ table: Name, columns: z.array(Name) })),
  files: Packed,
  proofs: Packed,
  /** The head of the log that is left, with its key. */
  log: z.object({
    origin: z.string(),
    publicKey: z.base64(),
    size: z.int(),
    at: z.iso.datetime(),
    root: Sha256,
    keyId: Sha256,
    signature: z.base64(),
  }),
})

export type MovingManifest = z.infer<typeof MovingManifest>

export const filesIn = (folder: string) => join(folder, 'files')

/** Reads the whole package and compares every byte with its manifest. Needs no database. */
export async function checkPackage(folder: string): Promise<{ manifest: MovingManifest; sha256: string }> {
  const { text, sha256, isNoted } = await readNoted(folder)
  if (!isNoted) fail('The hash of the manifest is missing')
  const manifest = parsed(MovingManifest, text) ?? fail(`The manifest in ${folder} cannot be read`)
  for (const packed of [...manifest.tables, manifest.proofs]) {
    const { content, done } = unpack(folder, packed)
    content.resume()
    await done
  }
  for await (const file of listedFiles(folder, manifest)) {
    const found = await hashOf(pathByHash(filesIn(folder), file.sha256))
    if (found?.sha256 !== file.sha256 || found.bytes !== file.size)
      fail(`The file ${file.id} is not what was exported`)
  }
  return { manifest, sha256 }
}
