/**
 * The layout of a backup:
 *
 *   DIR/files/ab/abcd…            files by their hash, shared by all backups in DIR and copied once
 *   DIR/2026-11-15T06-00-00Z/     one backup
 *       public.users.copy.gz …    each table in the format of COPY
 *       files.list.gz             hash, size, organisation and id of every file that the tables refer to
 *       manifest.json.sha256      the hash of the manifest, so that a damaged one is noticed
 *       manifest.json             written last, with the hashes of all of that; without it the backup is incomplete
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, open, readdir, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform, Writable, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'

/** An error with a message for the person at the command line. */
export class BackupError extends Error {}

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
export const Name = z.string().regex(/^[a-z0-9_]+$/)
/** A compressed file of the backup, with the hashes of its bytes and of its content. */
export const Packed = z.object({
  file: z.string().regex(/^[a-z0-9_.]+$/),
  packedBytes: z.int(),
  packedSha256: Sha256,
  bytes: z.int(),
  rows: z.int(),
  sha256: Sha256,
})
const Manifest = z.object({
  /** 1: without a hash of the manifest. */
  format: z.literal([1, 2]),
  id: z.uuid(),
  /** The version of the product that made it. */
  product: z.string(),
  mode: z.enum(['demo', 'production']).nullable(),
  beganAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), sha256: Sha256 })),
  /** The schema version of the job queue; null: it had no tables yet. */
  jobsVersion: z.int().nullable(),
  tables: z.array(Packed.extend({ schema: Name, table: Name, columns: z.array(Name) })),
  sequences: z.array(z.object({ schema: Name, name: Name, last: z.string().nullable() })),
  files: Packed.extend({
    /** The sum of all files, each counted once. */
    storedBytes: z.int(),
    /** Files that the storage did not have, or that had changed. */
    missing: z.array(z.uuid()),
  }),
})

export type Packed = z.infer<typeof Packed>
export type Manifest = z.infer<typeof Manifest>

export const manifestName = 'manifest.json'
/** Prefix of a backup in progress, which is never taken for a finished one. */
export const unfinished = '.unfinished-'

/** Returns the hash to be noted elsewhere, because whoever can change the backup can change its manifest too. */
export async function writeManifest(folder: string, manifest: object): Promise<string> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  const sha256 = sha256Of(text)
  await writeWhole(join(folder, `${manifestName}.sha256`), hashLine(sha256))
  await writeWhole(join(folder, manifestName), text)
  return sha256
}

async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(`${path}.part`, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.part`, path)
}

/** In the format that `sha256sum --check` reads. */
function hashLine(sha256: string): string {
  return `${sha256}  ${manifestName}\n`
}

export async function readManifest(folder: string): Promise<{ manifest: Manifest; sha256: string }> {
  const { text, sha256, isNoted } = await readNoted(folder)
  const manifest = parsed(Manifest, text) ?? fail(`The manifest in ${folder} cannot be read`)
  if (!isNoted && manifest.format !== 1) fail('The hash of the manifest is missing')
  return { manifest, sha256 }
}

/** The text of a manifest, which has to agree with the hash beside it where there is one. */
export async function readNoted(folder: string): Promise<{ text: string; sha256: string; isNoted: boolean }> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new BackupError(`${folder} is not whole: it has no ${manifestName}`)
  })
  const sha256 = sha256Of(text)
  const noted = await readFile(join(folder, `${manifestName}.sha256`), 'utf8').catch(() => null)
  if (noted !== null && noted !== hashLine(sha256)) fail('The manifest is not what was written')
  return { text, sha256, isNoted: noted !== null }
}

export function parsed<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** The backup in the folder, or the newest of those in it. */
export async function findBackup(folder: string): Promise<string> {
  const [newest] = await backupsIn(folder)
  if (await isThere(join(folder, manifestName))) return folder
  return newest ?? fail(`There is no backup in ${folder}`)
}

/** Complete backups, newest first. */
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

/** The shared folder of files beside the backups; any of them may be passed. */
export function filesFolder(backup: string): string {
  return join(dirname(backup), 'files')
}

export function pathByHash(folder: string, sha256: string): string {
  return join(folder, sha256.slice(0, 2), sha256)
}

/** Compresses a stream into a file, counting and hashing before and after. */
export async function pack(folder: string, file: string, content: Readable): Promise<Packed> {
  const [plain, compressed] = [measure(), measure()]
  const path = join(folder, file)
  await pipeline(
    content,
    plain.stream,
    createGzip(),
    compressed.stream,
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  )
  const { bytes, rows, sha256 } = plain.result()
  const { bytes: packedBytes, sha256: packedSha256 } = compressed.result()
  return { file, packedBytes, packedSha256, bytes, rows, sha256 }
}

/** Fails unless everything the manifest says about the file holds. */
export function unpack(folder: string, packed: Packed): { content: Readable; done: Promise<void> } {
  const [compressed, plain] = [measure(), measure()]
  const done = pipeline(
    createReadStream(join(folder, packed.file)),
    compressed.stream,
    createGunzip(),
    plain.stream,
  )
  const compared = done.then(
    () => {
      const [packedNow, now] = [compressed.result(), plain.result()]
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
  return { content: plain.stream, done: compared }
}

/** Counts and hashes what passes through. A row is a line, because COPY writes one row on each line. */
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

/** The hash and size of a file; null: it cannot be read. */
export async function hashOf(path: string): Promise<{ sha256: string; bytes: number } | null> {
  const { stream, result } = measure()
  try {
    await pipeline(createReadStream(path), stream, new Writable({ write: (_chunk, _, done) => done() }))
    return result()
  } catch {
    return null
  }
}

export type ListedFile = { sha256: string; size: number; organizationId: string; id: string }

/** The files of a backup, streamed: there may be millions. */
export async function* listedFiles(folder: string, { files }: { files: Packed }): AsyncGenerator<ListedFile> {
  const { content, done } = unpack(folder, files)
  let rest = ''
  try {
    for await (const chunk of content.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      for (const line of lines) yield listedFile(line)
    }
  } catch (error) {
    await done // rejects with an error that tells better what is wrong
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

/** Readable by the owner only: backups hold copies of everything people signed. */
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
