/** How much an organisation may store; the operator of the installation decides. */
import { refuse } from '../errors.ts'

const megabyte = 1024 * 1024

/** Refuses a file that exceeds the quota; the parameters of the refusal are in megabytes, for people. */
export function refuseOverQuota(usedBytes: number, moreBytes: number, quotaBytes: number): void {
  if (usedBytes + moreBytes <= quotaBytes) return
  refuse('storage-quota-exceeded', {
    used: Math.ceil(usedBytes / megabyte),
    maximum: Math.floor(quotaBytes / megabyte),
  })
}
