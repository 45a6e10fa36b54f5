/** Timestamps for the archive, from the first of several services that gives one that can be trusted. */
import type { HashName } from '@kelisim/signature/algorithms/hash.ts'
import { withCertificates } from '@kelisim/signature/cms/build.ts'
import { timestampRequest, tokenAnswering } from '@kelisim/signature/timestamps/timestamp.ts'
import type { SignatureChecks } from '../../signatures/check.ts'
import type { TimestampService } from '../../signatures/outbound/centre.ts'

export type TakenTimestamp = {
  token: Uint8Array
  time: Date
  /** When the first certificate on its path ends. */
  endsAt: Date
  service: string
}

/** `endsAfter`: a timestamp that ends earlier is of no use, for example as a renewal. */
export type TakeTimestamp = (hash: HashName, root: Uint8Array, endsAfter?: Date) => Promise<TakenTimestamp>

/** Policies of the national service: signed by RSA for SHA-2, by GOST for Streebog. */
const policies = { sha: '1.2.398.3.3.2.6.2', gost: '1.2.398.3.3.2.6.4' }

/** Throws with the reasons of all services if none gives a good one. */
export function takeFrom(
  services: readonly TimestampService[],
  checkTimestamp: SignatureChecks['checkTimestamp'],
  clock: () => Date,
): TakeTimestamp {
  async function takeOne(
    { name, ask }: TimestampService,
    hash: HashName,
    root: Uint8Array,
    endsAfter?: Date,
  ) {
    const policy = hash.startsWith('sha-') ? policies.sha : policies.gost
    const question = { hash, imprint: root, policy, nonce: crypto.getRandomValues(new Uint8Array(8)) }
    const answer = tokenAnswering(question, await ask(timestampRequest(question)))
    if ('refusal' in answer) throw new Error(answer.refusal)
    const { token } = answer
    const over = { hash, digest: root }
    const { faults, time, endsAt, centres } = await checkTimestamp({ token, over, at: clock() })
    if (faults.length > 0 || !time || !endsAt) throw new Error(faults.join(', '))
    if (endsAfter && endsAt <= endsAfter) throw new Error('its certificate ends too soon')
    // The certificates are included, because whoever checks the timestamp later may know the root and nothing else.
    return { token: withCertificates(token, centres), time, endsAt, service: name }
  }

  return async (hash, root, endsAfter) => {
    const reasons: string[] = []
    for (const service of services) {
      try {
        return await takeOne(service, hash, root, endsAfter)
      } catch (error) {
        reasons.push(`${service.name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    throw new Error(`no timestamp service gave a good timestamp (${reasons.join('; ')})`)
  }
}
