/** The active filters of a list as chips; each chip removes its filter. */
import { useQuery } from '@tanstack/react-query'
import { getClassifiersByIds } from '@kelisim/domain/classifiers/contract.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { listOwners, signedStatuses } from '@kelisim/domain/requests/list-contract.ts'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { formatDate } from '../../ui/format/dates.ts'
import { CloseIcon } from '../../ui/look/icons.tsx'
import type { Filters } from './list-filters.ts'
import classes from './lists.module.css'

export function ActiveFilters(props: {
  filters: Filters
  /** The filter that is shown as a view instead of a chip. */
  except: keyof Filters | null
  onChange: (next: Filters) => void
  onReset: () => void
}) {
  const { t } = useTexts('requests-lists')
  const words = useWords(props.filters)
  const all = Object.keys(props.filters) as (keyof Filters)[]
  const names = all.filter((name) => name !== props.except)
  return (
    <>
      <ul className={classes.chips} aria-label={t('requests.filters.active')}>
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={classes.chip}
              aria-label={t('requests.filters.remove', { filter: words[name] ?? '' })}
              onClick={() => props.onChange({ [name]: undefined })}
            >
              {words[name]}
              <CloseIcon size={14} />
            </button>
          </li>
        ))}
      </ul>
      {names.length > 1 && (
        <button type="button" className={classes.view} onClick={props.onReset}>
          {t('requests.filters.resetAll')}
        </button>
      )}
    </>
  )
}

function useWords(filters: Filters): Partial<Record<keyof Filters, string>> {
  const { t } = useTexts('requests-lists')
  const classifier = useClassifierName(filters.classificatorId)
  const { status, signedStatus, ownScope, author, bin, from, to } = filters
  return {
    ...(status && {
      status: t('requests.filters.statuses', {
        names: requestStatuses
          .list(status)
          .map((name) => t(`status.${name}`))
          .join(', '),
      }),
    }),
    ...(signedStatus && {
      signedStatus: t('requests.filters.signedIs', {
        name: t(`requests.filters.signed.${signedStatuses.list(signedStatus)[0]!}`),
      }),
    }),
    ...(ownScope && {
      ownScope: t('requests.filters.ownerIs', {
        name: t(
          `requests.filters.owners.${ownScope === listOwners.all ? 'All' : listOwners.list(ownScope)[0]!}`,
        ),
      }),
    }),
    ...(author && { author: t('requests.filters.authorIs', { name: author }) }),
    ...(bin && { bin: t('requests.filters.binIs', { number: inGroups(bin) }) }),
    ...(filters.classificatorId && {
      classificatorId: t('requests.filters.classificatorIs', { name: classifier }),
    }),
    ...(from && { from: t('requests.filters.since', { date: formatDate(from) }) }),
    ...(to && { to: t('requests.filters.until', { date: formatDate(to) }) }),
  }
}

function useClassifierName(id: string | undefined): string {
  const { organization } = useWorkplace()
  const { data } = useQuery({
    ...query(getClassifiersByIds, { organizationId: organization.Id, classificatorsId: id ?? '' }),
    enabled: id !== undefined,
  })
  return data?.items[0]?.name ?? '…'
}
