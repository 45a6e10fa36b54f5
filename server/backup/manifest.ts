/**
 * What a backup consists of:
 *
 *   DIR/files/ab/abcd…            files by their hash, shared by all backups in DIR: what is there is not copied again
 *   DIR/2026-11-15T06-00-00Z/     one backup
 *       public.users.copy.gz …    each table as COPY gives it
 *       files.list.gz             hash, size, organisation and id of every file that the tables speak of
 *       manifest.json             written last: hashes of all of that. Without it, it is no backup
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, open, readdir, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'

/** A sentence for whoever sits at the command line. */
export class BackupError extends Error {}

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Name = z.string().regex(/^[a-z0-9_]+$/)
/** A file of the backup: packed, with the hash of what it holds beside that of its bytes. */
const Packed = z.object({
  file: z.string().regex(/^[a-z0-9_.]+$/),
  packedBytes: z.int(),
  packedSha256: Sha256,
  bytes: z.int(),
  rows: z.int(),
  sha256: Sha256,
})
const Manifest = z.object({
  format: z.literal(1),
  id: z.uuid(),
  /** The version of the product that made it. */
  product: z.string(),
  mode: z.enum(['demo', 'production']).nullable(),
  beganAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), sha256: Sha256 })),
  /** Of the tables of the job queue; null: there were none yet. */
  jobsVersion: z.int().nullable(),
  tables: z.array(Packed.extend({ schema: Name, table: Name, columns: z.array(Name) })),
  sequences: z.array(z.object({ schema: Name, name: Name, last: z.string().nullable() })),
  files: Packed.extend({
    /** Together, each counted once. */
    storedBytes: z.int(),
    /** The storage did not have them, or not as they were. */
    missing: z.array(z.uuid()),
  }),
})

export type Packed = z.infer<typeof Packed>
export type Manifest = z.infer<typeof Manifest>

export const manifestName = 'manifest.json'
/** A backup on its way; never taken for one. */
export const unfinished = '.unfinished-'

/** Its hash is what to note down elsewhere: whoever can change the backup can change the manifest too. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<string> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  const path = join(folder, manifestName)
  const file = await open(`${path}.part`, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.part`, path)
  return sha256Of(text)
}

export async function readManifest(folder: string): Promise<{ manifest: Manifest; sha256: string }> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new BackupError(`${folder} is no whole backup: it has no ${manifestName}`)
  })
  try {
    return { manifest: Manifest.parse(JSON.parse(text)), sha256: sha256Of(text) }
  } catch {
    throw new BackupError(`The manifest in ${folder} cannot be read`)
  }
}

/** The backup in the folder, or the newest of those in it. */
export async function findBackup(folder: string): Promise<string> {
  const [newest] = await backupsIn(folder)
  if (await isThere(join(folder, manifestName))) return folder
  return newest ?? fail(`There is no backup in ${folder}`)
}

/** Whole ones, newest first. */
export async function backupsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => fail(`${folder} cannot be read`))
  const whole: string[] = []
  for (const name of names
    .filter((one) => /^\d{4}-\d\d-\d\dT/.test(one))
    .toSorted()
    .toReversed()) {
    if (await isThere(join(folder, name, manifestName))) whole.push(join(folder, name))
  }
  return whole
}

/** Beside the backups, whichever of them is meant. */
export function filesFolder(backup: string): string {
  return join(dirname(backup), 'files')
}

export function pathByHash(folder: string, sha256: string): string {
  return join(folder, sha256.slice(0, 2), sha256)
}

/** Packs a stream into a file of its own, counted and hashed on both sides of the packing. */
export async function pack(folder: string, file: string, content: Readable): Promise<Packed> {
  const [inside, outside] = [measure(), measure()]
  const path = join(folder, file)
  await pipeline(
    content,
    inside.stream,
    createGzip(),
    outside.stream,
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  )
  const { bytes, rows, sha256 } = inside.result()
  const { bytes: packedBytes, sha256: packedSha256 } = outside.result()
  return { file, packedBytes, packedSha256, bytes, rows, sha256 }
}

/** Everything the manifest says of it must hold, or it is not unpacked to its end. */
export function unpack(folder: string, packed: Packed): { content: Readable; done: Promise<void> } {
  const [outside, inside] = [measure(), measure()]
  const done = pipeline(
    createReadStream(join(folder, packed.file)),
    outside.stream,
    createGunzip(),
    inside.stream,
  )
  const compared = done.then(
    () => {
      const [packedNow, now] = [outside.result(), inside.result()]
      const isSame =
        packedNow.sha256 === packed.packedSha256 &&
        packedNow.bytes === packed.packedBytes &&
        now.sha256 === packed.sha256 &&
        now.bytes === packed.bytes &&
        now.rows === packed.rows
      if (!isSame) fail(`${packed.file} is not what was backed up`)
    },
    () => fail(`${packed.file} cannot be read, or is not what was backed up`),
  )
  compared.catch(() => {})
  return { content: inside.stream, done: compared }
}

/** Passes everything through. Rows are lines: COPY writes each on one. */
export function measure(): {
  stream: Transform
  result: () => { bytes: number; rows: number; sha256: string }
} {
  const hash = createHash('sha256')
  let [bytes, rows] = [0, 0]
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      bytes += chunk.length
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows++
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ bytes, rows, sha256: hash.digest('hex') }) }
}

export type ListedFile = { sha256: string; size: number; organizationId: string; id: string }

/** The files of a backup, one after the other: there may be millions. */
export async function* listedFiles(folder: string, { files }: Manifest): AsyncGenerator<ListedFile> {
  const { content, done } = unpack(folder, files)
  let rest = ''
  try {
    for await (const chunk of content.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      for (const line of lines) yield listedFile(line)
    }
  } catch (error) {
    await done // says better what is wrong
    throw error
  }
  await done
}

function listedFile(line: string): ListedFile {
  const [sha256 = '', size, organizationId = '', id = ''] = line.split('\t')
  const isRight =
    /^[0-9a-f]{64}$/.test(sha256) && [organizationId, id].every((one) => /^[0-9a-f-]{36}$/.test(one))
  if (!isRight) fail('The list of files cannot be read')
  return { sha256, size: Number(size), organizationId, id }
}

export async function isThere(path: string): Promise<boolean> {
  return (await sizeOf(path)) !== null
}

export async function sizeOf(path: string): Promise<number | null> {
  return stat(path).then(
    (file) => file.size,
    () => null,
  )
}

/** Nobody else's business: whole copies of what people signed. */
export async function privateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
}

export function fail(sentence: string): never {
  throw new BackupError(sentence)
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
