/** `--checkpoint`: judges a signed head of a log with the keys of the log and of its witnesses. */
import { existsSync } from 'node:fs'
import { judge, type Verdict } from '@kelisim/domain/signatures/verdict.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import { examineCheckpoint } from '@kelisim/signature/transparency/checkpoint.ts'
import { readVerifierKey, type VerifierKey } from '@kelisim/signature/transparency/note.ts'
import { UsageError } from './arguments.ts'
import { readBytes } from './files.ts'

export type CheckpointReport = Verdict & {
  origin: string | null
  size: string | null
  /** In hexadecimal digits. */
  root: string | null
  signedBy: string[]
  witnessedBy: { name: string; at: string }[]
}

export type GivenKeys = { keys: readonly string[]; witnesses: readonly string[]; quorum: number | undefined }

/** `fileOf` returns the path of a file of keys. */
export async function checkpointReport(
  bytes: Uint8Array,
  { keys, witnesses, quorum }: GivenKeys,
  at: Date,
  fileOf: (name: string) => string = (name) => name,
): Promise<CheckpointReport> {
  const read = (given: readonly string[]) => given.flatMap((one) => keysIn(one, fileOf))
  const examination = await examineCheckpoint(bytes, {
    keys: read(keys),
    witnesses: read(witnesses),
    ...(quorum !== undefined && { quorum }),
    at,
  })
  const { findings, checkpoint, signedBy, witnessedBy } = examination
  return {
    ...judge(findings),
    origin: checkpoint?.origin ?? null,
    size: checkpoint ? `${checkpoint.size}` : null,
    root: checkpoint && toHex(checkpoint.root),
    signedBy,
    witnessedBy: witnessedBy.map(({ name, at: time }) => ({ name, at: time.toISOString() })),
  }
}

/** The keys of trusted witnesses for a bundle; every one must be readable. */
export function witnessKeys(given: readonly string[]): VerifierKey[] {
  return given
    .flatMap((one) => keysIn(one, (name) => name))
    .map((key, i) => {
      if (!key) throw new UsageError(`Not the key of a witness: ${given[i] ?? given.at(-1)}`)
      return key
    })
}

/** The keys that an argument names: a key itself, or a file with one key on each line. */
function keysIn(given: string, fileOf: (name: string) => string): (VerifierKey | null)[] {
  const key = readVerifierKey(given)
  if (key || !existsSync(fileOf(given))) return [key]
  const lines = new TextDecoder().decode(readBytes(fileOf(given))).split(/\r?\n/)
  return lines.filter((line) => line.trim() !== '' && !line.startsWith('#')).map(readVerifierKey)
}
