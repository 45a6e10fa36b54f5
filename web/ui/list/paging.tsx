import { useEffect } from 'react'
import { ActionIcon } from '@mantine/core'
import { countLimit, pageSizes } from '@kelisim/domain/fields.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ChevronLeftIcon, ChevronRightIcon } from '../look/icons.tsx'
import { useListSearch } from './list-search.ts'
import classes from './list.module.css'

/** The number of rows as text: "more than" beyond the number at which the server stops counting. */
export function useCount(): (count: number, countedUpTo: number) => string {
  const { t } = useTexts()
  const inGroups = (count: number) => count.toLocaleString('ru-RU')
  return (count, countedUpTo) =>
    count > countedUpTo ? t('paging.moreThan', { count: inGroups(countedUpTo) }) : inGroups(count)
}

export function Paging({
  totalCount,
  countedUpTo = countLimit,
}: {
  totalCount: number
  countedUpTo?: number
}) {
  const { t } = useTexts()
  const { page: asked, take, change } = useListSearch()
  const countOf = useCount()
  // Rows beyond the counted ones are reached by searching, not by paging.
  const last = Math.max(1, Math.ceil(Math.min(totalCount, countedUpTo) / take))
  const page = Math.min(asked, last)
  const skip = (page - 1) * take
  // A page beyond the last one (rows were removed, or the address was typed) becomes the last one.
  useEffect(() => {
    if (asked > last) change({ page: last })
  }, [asked, last, change])
  if (totalCount <= pageSizes[0] && asked === 1) return null
  return (
    <nav className={classes.paging} aria-label={t('paging.size')}>
      <span>
        {t('paging.shown', {
          from: skip + 1,
          to: Math.min(skip + take, totalCount),
          total: countOf(totalCount, countedUpTo),
        })}
      </span>
      <select
        className={classes.size}
        aria-label={t('paging.size')}
        value={take}
        onChange={(event) => change({ take: Number(event.currentTarget.value), page: 1 })}
      >
        {pageSizes.map((size) => (
          <option key={size}>{size}</option>
        ))}
      </select>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('paging.previous')}
        disabled={page <= 1}
        onClick={() => change({ page: page - 1 })}
      >
        <ChevronLeftIcon />
      </ActionIcon>
      <span>
        {page} / {last}
      </span>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('paging.next')}
        disabled={page >= last}
        onClick={() => change({ page: page + 1 })}
      >
        <ChevronRightIcon />
      </ActionIcon>
    </nav>
  )
}
