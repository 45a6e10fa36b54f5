/** Examines a timestamp that a service has just given, and whether the key of that service was revoked. */
import { defaultPolicy, type Policy, type Setting } from '@kelisim/signature/examination/policy.ts'
import { examineTimestamp } from '@kelisim/signature/examination/timestamps.ts'
import { startWork } from '@kelisim/signature/examination/work.ts'
import { clockAllowance } from '@kelisim/signature/time/durations.ts'
import type { CheckedTimestamp, TimestampJob } from './check-job.ts'

/**
 * Evidence about the service is required as it is for the timestamps of signatures. It has to be current, but not
 * newer than the timestamp: where only CRLs are available, every new timestamp is newer than the CRL.
 */
const timestampPolicy: Policy = { ...defaultPolicy, issuerRevocation: 'required', evidenceAge: 'current' }

export async function checkedTimestamp(
  { token, over, at }: TimestampJob,
  { trust, evidence, policy = timestampPolicy }: Pick<Setting, 'trust' | 'evidence'> & { policy?: Policy },
): Promise<CheckedTimestamp> {
  const work = startWork({ trust, evidence, policy, at, clockAllowance })
  const { time, path, findings } = await examineTimestamp(token, over, trust.others, work)
  const ends = path.map(({ notAfter }) => Number(notAfter))
  return {
    faults: findings,
    time,
    endsAt: ends.length > 0 ? new Date(Math.min(...ends)) : null,
    // Copied, because a view would be posted with its whole buffer.
    centres: path.slice(1, -1).map(({ der }) => new Uint8Array(der)),
  }
}
