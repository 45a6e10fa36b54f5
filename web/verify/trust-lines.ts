/** By which rule a signature is trusted, in sentences: the root, the role, the answers about revocation, the timestamps. */
import type { RevocationBasis } from '@kelisim/signature/examination/trust-basis.ts'
import type { SignerReport } from './checking/report.ts'
import { timeText, type Find, type T } from './wording.ts'

/** Empty: there is no certificate. */
export function trustLines(signer: SignerReport, { find, t }: { find: Find; t: T }): string[] {
  const { trust } = signer
  if (!trust) return []
  // What a certificate of nobody's states counts for nothing.
  if (!trust.root) return [t('trust.noRoot')]
  const { root, roles, policies, revocation } = trust
  return [
    t('trust.root', { root: root.name, sha256: root.sha256 }),
    ...roles.map(({ role, oid }) => t('trust.role', { role: find(`verify:roles.${role}`) ?? role, oid })),
    ...(policies.length > 0 ? [t('trust.policy', { policies: policies.join(', ') })] : []),
    ...revocation.map((one) => revocationLine(one, t)),
    ...timeLines(signer, t),
  ]
}

function revocationLine(basis: RevocationBasis, t: T): string {
  const { status, by, of, at, revokedAt } = basis
  const whose = basis.isSigner ? t('trust.signer') : t('trust.centre', { name: basis.certificate })
  if (status === 'unknown' || !by || !at) return t('trust.unknown', { whose })
  const evidence = t(`trust.${by}`, { of: of ?? '', time: timeText(at) })
  if (!revokedAt) return t('trust.good', { whose, evidence })
  const time = timeText(revokedAt)
  return t(status === 'revoked' ? 'trust.revoked' : 'trust.later', { whose, time, evidence })
}

function timeLines({ trust, provedTime, provedBy }: SignerReport, t: T): string[] {
  const stamps = (trust?.timestamps ?? []).map(({ time, service, root }) =>
    t('trust.time', { time: timeText(time), service, root }),
  )
  if (!provedTime) return [...stamps, t('trust.timeNone')]
  const time = timeText(provedTime)
  if (provedBy === 'log') return [...stamps, t('trust.timeLog', { time })]
  return stamps.length > 0 ? stamps : [t('trust.timeOther', { time })]
}
