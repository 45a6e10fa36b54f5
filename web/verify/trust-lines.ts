/** Why a signature is trusted, in sentences: the root, the role, the answers about revocation, the timestamps. */
import type { RevocationBasis, TimestampBasis } from '@kelisim/signature/examination/trust-basis.ts'
import type { SignerReport } from './checking/report.ts'
import { timeText, type Find, type T } from './wording.ts'

/** Empty: there is no certificate. */
export function trustLines(signer: SignerReport, { find, t }: { find: Find; t: T }): string[] {
  const { trust } = signer
  if (!trust) return []
  // Without a trusted root nothing that the certificate states counts.
  if (!trust.root) return [t('trust.noRoot')]
  const { root, roles, policies, revocation } = trust
  const lines = [
    t('trust.root', { root: root.name, sha256: root.sha256 }),
    ...roles.map(({ role, oid }) => t('trust.role', { role: find(`verify:roles.${role}`) ?? role, oid })),
    ...(policies.length > 0 ? [t('trust.policy', { policies: policies.join(', ') })] : []),
    ...revocation.map((one, i) => revocationLine(one, i === 0 ? t('trust.signer') : centre(one, t), t)),
    ...timeLines(signer, t),
  ]
  // Removes repetitions: signer and timestamp often have the same certification centre.
  return [...new Set(lines)]
}

/** The lines of a timestamp over a whole document or over a signature. */
export function stampLines({ time, service, root, revocation }: TimestampBasis, t: T): string[] {
  return [
    t('trust.time', { time: timeText(time), service, root }),
    ...revocation.map((one, i) =>
      revocationLine(one, i === 0 ? t('trust.service', { name: one.certificate }) : centre(one, t), t),
    ),
  ]
}

function centre({ certificate }: RevocationBasis, t: T): string {
  return t('trust.centre', { name: certificate })
}

function revocationLine({ status, by, of, at, revokedAt }: RevocationBasis, whose: string, t: T): string {
  if (status === 'unknown' || !by || !at) return t('trust.unknown', { whose })
  const evidence = t(`trust.${by}`, { of: of ?? '', time: timeText(at) })
  if (!revokedAt) return t('trust.good', { whose, evidence })
  const time = timeText(revokedAt)
  return t(status === 'revoked' ? 'trust.revoked' : 'trust.later', { whose, time, evidence })
}

function timeLines({ trust, provedTime, provedBy }: SignerReport, t: T): string[] {
  const stamps = (trust?.timestamps ?? []).flatMap((one) => stampLines(one, t))
  if (!provedTime) return [...stamps, t('trust.timeNone')]
  const time = timeText(provedTime)
  if (provedBy === 'log') return [...stamps, t('trust.timeLog', { time })]
  return stamps.length > 0 ? stamps : [t('trust.timeOther', { time })]
}
