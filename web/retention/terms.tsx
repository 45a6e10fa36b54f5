/** The table of terms, the newest rules first. */
import { useQuery } from '@tanstack/react-query'
import type { RetentionTermView } from '@kelisim/domain/retention/contract.ts'
import type * as z from 'zod/mini'
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import portalClasses from '../portal/shared/portal.module.css'
import { formatDate, formatMoment } from '../ui/format/dates.ts'
import { SmallTable, type SmallTableColumn } from '../ui/list/small-table.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import classes from './retention.module.css'
import { termsQuery } from './queries.ts'

type Term = z.output<typeof RetentionTermView>

export function Terms() {
  const { t } = useTexts('retention')
  const { organization } = usePortalOrganization()
  const { data, error, refetch } = useQuery(termsQuery(organization.Id))
  return (
    <section aria-label={t('terms.title')}>
      <h2 className={classes.heading}>{t('terms.title')}</h2>
      {error && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingLines />}
      {data?.terms.length === 0 && <p>{t('terms.none')}</p>}
      {data && data.terms.length > 0 && <TermsTable terms={data.terms} />}
    </section>
  )
}

function TermsTable({ terms }: { terms: readonly Term[] }) {
  const { t } = useTexts('retention')
  return (
    <SmallTable label={t('terms.title')} items={terms} rowKey={({ id }) => id} columns={useTermColumns()} />
  )
}

function useTermColumns(): SmallTableColumn<Term>[] {
  const { t } = useTexts('retention')
  return [
    { title: t('terms.columns.kind'), cell: ({ kind }) => kind?.name ?? t('terms.others') },
    {
      title: t('terms.columns.years'),
      cell: ({ years }) => (years === null ? t('terms.forever') : t('terms.years', { count: years })),
    },
    { title: t('terms.columns.from'), cell: ({ validFrom }) => formatDate(validFrom) },
    { title: t('terms.columns.basis'), cell: (term) => <Basis term={term} /> },
  ]
}

function Basis({ term: { basis, addedBy, addedAt } }: { term: Term }) {
  const { t } = useTexts('retention')
  return (
    <span className={portalClasses.person}>
      {basis}
      <small>{t('terms.addedBy', { name: addedBy, date: formatMoment(addedAt) })}</small>
    </span>
  )
}
