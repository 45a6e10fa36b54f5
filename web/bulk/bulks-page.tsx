/** The start of a bulk sending: a table is dropped or chosen; earlier bulk sendings are listed below. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { addBulkSending, getBulkSendings } from '@kelisim/domain/bulk/contract.ts'
import { ApiError } from '../api/api.ts'
import { sendFile } from '../api/file-api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { TableDrop } from '../ui/form/table-drop.tsx'
import { formatMoment } from '../ui/format/dates.ts'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { List } from '../ui/list/list.tsx'
import { Badge } from '../ui/look/badge.tsx'
import { Page } from '../ui/page/page.tsx'
import { NoData } from '../ui/page/states.tsx'
import { bulkQuery, bulksQuery, type BulkView } from './queries.ts'

export function BulksPage() {
  const { t } = useTexts('bulk')
  const { organization } = useWorkplace()
  const columns = useColumns()
  return (
    <Page title={t('title')} lead={t('lead')}>
      <BulkDrop />
      <List
        id="bulk-sendings"
        label={t('title')}
        source={bulksQuery(organization.Id, useListSearch())}
        columns={columns}
        rowKey={({ id }) => id}
        linkOf={({ id }) => ({ to: '/bulk/$id', params: { id } })}
        empty={<NoData text={t('empty')} />}
      />
    </Page>
  )
}

function BulkDrop() {
  const { t, find } = useTexts('bulk')
  const { organization } = useWorkplace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const organizationId = organization.Id
  const uploading = useMutation<BulkView, ApiError, File>({
    mutationFn: (file) => {
      const { signal } = new AbortController()
      const name = file.name.slice(-250)
      return sendFile(addBulkSending, { organizationId, name }, file, { signal, onProgress: () => {} })
    },
    // The error is shown beside the file.
    meta: { showsErrors: true },
    onSuccess: async (bulk) => {
      client.setQueryData(bulkQuery({ organizationId, bulkId: bulk.id }).queryKey, bulk)
      void client.invalidateQueries({ queryKey: [getBulkSendings.path] })
      await navigate({ to: '/bulk/$id', params: { id: bulk.id } })
    },
  })
  const { error } = uploading
  const fault = typeof error?.parameters['fault'] === 'string' ? error.parameters['fault'] : ''
  const words = error && {
    ofFault: find(`bulk:faults.${fault}`, { ...error.parameters }),
    ofError: find(`errors:${error.alias}.text`, { ...error.parameters }),
  }
  return (
    <TableDrop
      words={{ drop: t('drop'), choose: t('choose'), reading: t('reading'), limits: t('limits') }}
      isReading={uploading.isPending}
      fault={words ? (words.ofFault ?? words.ofError ?? error.message) : null}
      onFile={(file) => uploading.mutate(file)}
    />
  )
}

const tones = { draft: 'off', running: 'prim', paused: 'gold', done: 'ok' } as const

function useColumns(): Column<BulkView>[] {
  const { t } = useTexts('bulk')
  return [
    { key: 'file', title: t('columns.file'), isFixed: true, cell: ({ fileName }) => fileName },
    {
      key: 'state',
      title: t('columns.state'),
      width: 180,
      cell: ({ state }) => <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>,
    },
    { key: 'rows', title: t('columns.rows'), width: 110, cell: ({ counts }) => counts.total },
    { key: 'sent', title: t('columns.sent'), width: 130, cell: ({ counts }) => counts.sent },
    {
      key: 'created',
      title: t('columns.created'),
      width: 180,
      cell: ({ createdAt }) => formatMoment(createdAt),
    },
  ]
}
