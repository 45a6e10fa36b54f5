/** Timestamps for the archive, from the first of several services that gives one which can be trusted. */
import type { HashName } from '@kelisim/signature/algorithms/hash.ts'
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { withCertificates } from '@kelisim/signature/cms/build.ts'
import { defaultPolicy, evidenceAtHand } from '@kelisim/signature/examination/policy.ts'
import { examineTimestamp } from '@kelisim/signature/examination/timestamps.ts'
import { startWork } from '@kelisim/signature/examination/work.ts'
import { clockAllowance } from '@kelisim/signature/time/durations.ts'
import { readTimestampResponse, timestampRequest } from '@kelisim/signature/timestamps/timestamp.ts'
import type { TimestampService } from '../../signatures/outbound/centre.ts'
import type { TrustedCertificates } from '../../signatures/trust.ts'

export type TakenTimestamp = {
  token: Uint8Array
  time: Date
  /** When the first certificate on its path ends. */
  endsAt: Date
  service: string
}

export type TakeTimestamp = (hash: HashName, root: Uint8Array) => Promise<TakenTimestamp>

/** Policies of the national service: by RSA for SHA-2, by GOST for Streebog. */
const policies = { sha: '1.2.398.3.3.2.6.2', gost: '1.2.398.3.3.2.6.4' }

/** Throws with the reasons of all services if none gives a good one. */
export function takeFrom(
  services: readonly TimestampService[],
  trusted: TrustedCertificates,
  clock: () => Date,
): TakeTimestamp {
  const trust = { roots: trusted.roots.map(readCertificate), others: trusted.centres.map(readCertificate) }

  async function takeOne({ name, ask }: TimestampService, hash: HashName, root: Uint8Array) {
    const policy = hash.startsWith('sha-') ? policies.sha : policies.gost
    const nonce = crypto.getRandomValues(new Uint8Array(8))
    const { token, status, failures } = readTimestampResponse(
      await ask(timestampRequest({ hash, imprint: root, policy, nonce })),
    )
    if (!token) throw new Error([status, ...failures].join(', '))
    const work = startWork({
      trust,
      evidence: evidenceAtHand({ crls: [], ocsp: [] }),
      policy: defaultPolicy,
      at: clock(),
      clockAllowance,
    })
    const { time, path, findings } = await examineTimestamp(token, { hash, digest: root }, trust.others, work)
    if (findings.length > 0 || !time) throw new Error(findings.join(', '))
    const endsAt = new Date(Math.min(...path.map(({ notAfter }) => Number(notAfter))))
    // Whoever checks it later may know the root and nothing else.
    const centres = path.slice(1, -1).map(({ der }) => der)
    return { token: withCertificates(token, centres), time, endsAt, service: name }
  }

  return async (hash, root) => {
    const reasons: string[] = []
    for (const service of services) {
      try {
        return await takeOne(service, hash, root)
      } catch (error) {
        reasons.push(`${service.name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    throw new Error(`no timestamp service gave a good timestamp (${reasons.join('; ')})`)
  }
}
