/** The report of an evidence record: what its check found, with verdicts. */
import { judge, type Fault, type Verdict } from '@kelisim/domain/signatures/verdict.ts'
import { nameText } from '@kelisim/signature/certificates/names.ts'
import {
  examineRecord,
  type RecordExamination,
  type RecordTimestamp,
} from '@kelisim/signature/evidence-records/examine.ts'
import { derIn } from '@kelisim/signature/asn1/pem.ts'
import type { Setting } from '@kelisim/signature/examination/policy.ts'
import { looksLikeXml } from '@kelisim/signature/xml/read.ts'
import type { NamedBytes } from './files.ts'

export type RecordReport = Verdict & {
  format: RecordExamination['format']
  /** Since when the files are proved to exist. */
  existedAt: string | null
  /** Until when the proof holds, if nothing renews it. */
  holdsUntil: string | null
  files: RecordExamination['files']
  /** How many files belong to the given ones but were not given. */
  others: number
  timestamps: (Verdict & { time: string; hash: string; isRehashed: boolean; service: string | null })[]
  faults: Fault[]
}

export async function recordReport(
  record: Uint8Array,
  content: readonly NamedBytes[],
  setting: Setting,
): Promise<RecordReport> {
  const files = content.map(({ name, bytes }) => ({ name, pieces: () => [bytes] }))
  return judgedRecord(await examineRecord(looksLikeXml(record) ? record : derIn(record), files, setting))
}

export function judgedRecord(found: RecordExamination): RecordReport {
  return {
    ...judge(found.findings),
    format: found.format,
    existedAt: found.existedAt?.toISOString() ?? null,
    holdsUntil: found.holdsUntil?.toISOString() ?? null,
    files: found.files,
    others: found.others,
    timestamps: found.timestamps.map(timestampReport),
    faults: found.findings,
  }
}

function timestampReport({ time, hash, isRehashed, path, findings }: RecordTimestamp) {
  return {
    ...judge(findings),
    time: time.toISOString(),
    hash,
    isRehashed,
    service: path[0] ? nameText(path[0].subject) : null,
  }
}
