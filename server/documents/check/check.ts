/** Checks the content of an uploaded file in a process that can be killed, and refuses it if it does not match its format. */
import { availableParallelism } from 'node:os'
import type { DocumentFormat } from '@kelisim/domain/documents/formats.ts'
import { second } from '@kelisim/domain/durations.ts'
import { refuse, type Alias } from '@kelisim/domain/errors.ts'
import { refuseIfBusy } from '../../workers/busy.ts'
import { createPool, PoolError, type Pool } from '../../workers/pool.ts'
import type { Claimant } from '../../workers/turns.ts'
import { faults, type CheckJob, type CheckResult, type Fault } from './check-job.ts'
import type { Findings } from './findings.ts'

export type FileToCheck = CheckJob & { sha256: Buffer }

export type FileChecks = {
  /** Why a file cannot be accepted; null: nothing is wrong with it. */
  faultOf: (file: FileToCheck, claimant: Claimant) => Promise<CheckResult>
  /** Refuses, before the file is sent, a caller who would be refused after it. */
  refuseIfBusy: (claimant: Claimant) => void
  close: () => Promise<void>
}

export function openFileChecks({ deadlineMs = 10 * second, maxQueue = 200 } = {}): FileChecks {
  // Started with the first upload, to save memory until then.
  let pool: Pool<CheckJob, CheckResult> | null = null
  const start = () =>
    createPool<CheckJob, CheckResult>({
      file: new URL('check-worker.ts', import.meta.url),
      setup: null,
      seats: Math.max(4, availableParallelism()),
      maxQueue,
      deadlineMs,
      memory: { heapMb: 192, outsideMb: 192 },
    })
  return {
    async faultOf({ path, size, format }, claimant) {
      try {
        return await (pool ??= start()).run({ path, size, format }, claimant)
      } catch (error) {
        if (!(error instanceof PoolError)) throw error
        refuseIfBusy(error)
        // A file that crashes its reader or makes it hang would do so to people's programs too.
        return 'too-much'
      }
    },
    refuseIfBusy(claimant) {
      const error = pool?.whyNot(claimant)
      if (error) refuseIfBusy(error)
    },
    close: async () => pool?.close(),
  }
}

/** Raise the version when a change affects which files are accepted. */
const version = 6

/** Checks the same bytes only once: what was found about them is kept. */
export function withFindings(checks: FileChecks, findings: Findings): FileChecks {
  return {
    ...checks,
    faultOf: (file, claimant) =>
      findings<Fault>({ sha256: file.sha256, kind: `check ${file.format}`, version, among: faults }, () =>
        checks.faultOf(file, claimant),
      ),
  }
}

/** Refuses a file that cannot be accepted. */
export async function refuseFaulty(checks: FileChecks, file: FileToCheck, claimant: Claimant): Promise<void> {
  const fault = await checks.faultOf(file, claimant)
  if (fault !== null) refuse(aliases[fault], { format: nameOf(file.format) })
}

const aliases: Record<Fault, Alias> = {
  mismatch: 'file-content-mismatch',
  encrypted: 'file-encrypted',
  broken: 'file-broken',
  macros: 'file-has-macros',
  bomb: 'file-unpacks-too-large',
  'two-formats': 'file-of-two-formats',
  'too-much': 'file-takes-too-much',
  dde: 'file-has-dde',
  external: 'file-loads-from-elsewhere',
  objects: 'file-has-objects',
  entities: 'file-has-entities',
  scripts: 'file-has-scripts',
  xfa: 'file-has-xfa',
}

function nameOf(format: DocumentFormat): string {
  return format.toUpperCase()
}
