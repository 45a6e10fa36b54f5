/** One verdict on everything that was checked together, shown before the verdict on each document. */
import { worstOutcome, type CheckOutcome, type Group, type Report } from './checking/report.ts'
import { timeText, type T } from './wording.ts'

export type Summary = { outcome: CheckOutcome; sentence: string; meaning: string }

/** Null: there is only one verdict. */
export function summaryOf(groups: readonly Group[], t: T): Summary | null {
  if (groups.length < 2) return null
  const worst = worstOutcome(groups.map(({ outcome }) => outcome))
  const unsigned = groups.filter(({ outcome }) => outcome === 'unsigned')
  // Valid signatures must not seem to cover the unsigned files that were checked together with them.
  const isPartly = worst === 'unsigned' && unsigned.length < groups.length
  const names = unsigned.flatMap(({ documents }) => documents.map(({ name }) => name))
  return {
    outcome: isPartly ? 'incomplete' : worst,
    sentence: t(`summary.${isPartly ? 'partly' : worst}`),
    meaning: [
      ...(names.length > 0 && worst !== 'unsigned' ? [t('summary.names', { names: names.join(', ') })] : []),
      ...(isPartly ? [t('summary.names', { names: names.join(', ') }), t('summary.rely')] : []),
      t('summary.below'),
    ].join(' '),
  }
}

/** Says what could not be asked without a network; null: everything was asked. */
export function unaskedText({ unasked }: Pick<Report, 'unasked'>, t: T): string | null {
  if (!unasked || (!unasked.revocation && !unasked.trustKeptAt)) return null
  return [
    t('offline.title'),
    ...(unasked.revocation ? [t('offline.revocation')] : []),
    ...(unasked.trustKeptAt ? [t('offline.trust', { time: timeText(unasked.trustKeptAt) })] : []),
    t('offline.again'),
  ].join(' ')
}
