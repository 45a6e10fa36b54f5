/** The table of terms, the newest rules first. */
import { useQuery } from '@tanstack/react-query'
import type { RetentionTermView } from '@kelisim/domain/retention/contract.ts'
import type * as z from 'zod/mini'
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import portalClasses from '../portal/shared/portal.module.css'
import { formatDate, formatMoment } from '../ui/format/dates.ts'
import listClasses from '../ui/list/list.module.css'
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
    <div className={listClasses.list}>
      <div className={listClasses.paper}>
        <table className={listClasses.table} aria-label={t('terms.title')}>
          <thead>
            <tr>
              {(['kind', 'years', 'from', 'basis'] as const).map((column) => (
                <th key={column} scope="col">
                  {t(`terms.columns.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {terms.map((term) => (
              <TermRow key={term.id} term={term} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function TermRow({ term: { kind, years, basis, validFrom, addedBy, addedAt } }: { term: Term }) {
  const { t } = useTexts('retention')
  return (
    <tr>
      <td data-title={t('terms.columns.kind')} data-names>
        {kind?.name ?? t('terms.others')}
      </td>
      <td data-title={t('terms.columns.years')}>
        {years === null ? t('terms.forever') : t('terms.years', { count: years })}
      </td>
      <td data-title={t('terms.columns.from')}>{formatDate(validFrom)}</td>
      <td data-title={t('terms.columns.basis')}>
        <Basis basis={basis} small={t('terms.addedBy', { name: addedBy, date: formatMoment(addedAt) })} />
      </td>
    </tr>
  )
}

function Basis({ basis, small }: { basis: string; small: string }) {
  return (
    <span className={portalClasses.person}>
      {basis}
      <small>{small}</small>
    </span>
  )
}
