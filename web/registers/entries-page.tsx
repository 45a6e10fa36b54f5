/** The entries of a journal, with an export. */
import { useState } from 'react'
import { Button, Select } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { foundCountLimit } from '@kelisim/domain/fields.ts'
import { downloadJournal, type JournalEntry } from '@kelisim/domain/registers/contract.ts'
import type { JournalDirection } from '@kelisim/domain/registers/permissions.ts'
import type * as z from 'zod/mini'
import { fetchFile, saveBytes } from '../api/file-api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { idOf, useAddress } from '../ui/browser/address.ts'
import { formatDate, formatMoment } from '../ui/format/dates.ts'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { List } from '../ui/list/list.tsx'
import { DownloadIcon } from '../ui/look/icons.tsx'
import { LostPicture } from '../ui/look/pictures.tsx'
import { BackLink } from '../ui/page/back-link.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Page } from '../ui/page/page.tsx'
import { NoData, PageNotFound, State } from '../ui/page/states.tsx'
import { entriesQuery, journalsQuery, type JournalView } from './queries.ts'
import classes from './registers.module.css'

type Entry = z.output<typeof JournalEntry>

export function EntriesPage() {
  const { t } = useTexts('registers')
  const { organization, options } = useWorkplace()
  const id = idOf(useAddress().params.id)
  const { data, error, refetch } = useQuery(journalsQuery(organization.Id))
  if (error && !data) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingLines />
  const journal = data.items.find((one) => one.id === id)
  if (!journal) return <PageNotFound />
  if (!options.allowed.keepRegisters) {
    return (
      <Page title={journal.name}>
        <State picture={<LostPicture />} title={journal.name} text={t('entries.noRights')} />
      </Page>
    )
  }
  return <Entries key={journal.id} journal={journal} />
}

/** How many past years of a journal are offered. */
const yearsBack = 10

function Entries({ journal }: { journal: JournalView }) {
  const { t } = useTexts('registers')
  const { organization } = useWorkplace()
  const position = useListSearch()
  const [year, setYear] = useState<number | undefined>()
  const [thisYear] = useState(() => Number(dateInAlmaty(new Date()).slice(0, 4)))
  const key = { organizationId: organization.Id, journalId: journal.id }
  const exporting = useMutation({
    mutationFn: async () => {
      const bytes = await fetchFile(downloadJournal, { ...key, ...(year !== undefined && { year }) })
      const name = year === undefined ? journal.name : `${journal.name} ${year}`
      saveBytes(bytes, `${name}.xlsx`, mediaTypes.xlsx)
    },
  })
  const action = (
    <Button
      variant="default"
      leftSection={<DownloadIcon size={18} />}
      loading={exporting.isPending}
      disabled={journal.count === 0}
      onClick={() => exporting.mutate()}
    >
      {t('entries.export')}
    </Button>
  )
  return (
    <Page title={journal.name} lead={t(`journals.directionsHelp.${journal.direction}`)} action={action}>
      <div className={classes.entryTools}>
        <BackLink to="/journals">{t('entries.back')}</BackLink>
        <Select
          aria-label={t('entries.year')}
          allowDeselect={false}
          data={[
            { value: '', label: t('entries.allYears') },
            ...Array.from({ length: yearsBack }, (_, i) => String(thisYear - i)),
          ]}
          value={year === undefined ? '' : String(year)}
          onChange={(chosen) => {
            setYear(chosen ? Number(chosen) : undefined)
            position.change({ page: undefined })
          }}
        />
      </div>
      <List
        id="journal-entries"
        label={journal.name}
        source={entriesQuery(key, position, year)}
        columns={useColumns(journal.direction)}
        rowKey={({ signingRequestId }) => signingRequestId}
        hasSearch
        searchLabel={t('entries.search')}
        countedUpTo={foundCountLimit}
        isNarrowed={year !== undefined}
        linkOf={({ signingRequestId }) => ({
          to: '/signingRequests/$route/$id',
          params: {
            route: journal.direction === 'outgoing' ? 'outgoings' : 'incomings',
            id: signingRequestId,
          },
        })}
        empty={<NoData text={t('entries.empty')} />}
      />
    </Page>
  )
}

function useColumns(direction: JournalDirection): Column<Entry>[] {
  const { t } = useTexts('registers')
  return [
    {
      key: 'number',
      title: t('entries.columns.number'),
      isFixed: true,
      width: 180,
      cell: ({ number }) => <span className={classes.number}>{number}</span>,
    },
    {
      key: 'registered',
      title: t('entries.columns.registered'),
      width: 170,
      cell: ({ registeredAt }) => formatMoment(registeredAt),
    },
    {
      key: 'name',
      title: t('entries.columns.name'),
      cell: ({ name, kind, signingDate }) => (
        <span className={classes.lines}>
          {name}
          <small>{[kind, formatDate(signingDate)].filter(Boolean).join(' · ')}</small>
        </span>
      ),
    },
    {
      key: 'counterparty',
      title: t(`entries.columns.${direction}`),
      width: '26%',
      cell: ({ counterparty }) =>
        counterparty === null ? t('entries.inside') : counterparty.name || counterparty.bin,
    },
    {
      key: 'by',
      title: t('entries.columns.by'),
      isHiddenAtFirst: true,
      cell: ({ registeredBy }) => registeredBy,
    },
  ]
}
