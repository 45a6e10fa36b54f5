/** How much an organisation may store; the operator of the installation decides. */
import { refuse } from '../errors.ts'

const megabyte = 1024 * 1024

/** Refuses the file that would not fit, in megabytes as people count them. */
export function refuseOverQuota(usedBytes: number, moreBytes: number, quotaBytes: number): void {
  if (usedBytes + moreBytes <= quotaBytes) return
  refuse('storage-quota-exceeded', {
    used: Math.ceil(usedBytes / megabyte),
    maximum: Math.floor(quotaBytes / megabyte),
  })
}
