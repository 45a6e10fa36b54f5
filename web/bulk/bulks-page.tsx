/** Where bulk sending begins: a table is dropped, and earlier ones are below. */
import { useRef, useState, type DragEvent } from 'react'
import { Alert, Button, Loader } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { addBulkSending, getBulkSendings } from '@kelisim/domain/bulk/contract.ts'
import { ApiError } from '../api/api.ts'
import { sendFile } from '../api/file-api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { dropZone } from '../ui/browser/file-drop.ts'
import { formatMoment } from '../ui/format/dates.ts'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { List } from '../ui/list/list.tsx'
import { Badge } from '../ui/look/badge.tsx'
import { OutgoingIcon, WarningIcon } from '../ui/look/icons.tsx'
import { Page } from '../ui/page/page.tsx'
import { NoData } from '../ui/page/states.tsx'
import classes from './bulk.module.css'
import { bulkQuery, bulksQuery, type BulkView } from './queries.ts'

export function BulksPage() {
  const { t } = useTexts('bulk')
  const { organization } = useWorkplace()
  const columns = useColumns()
  return (
    <Page title={t('title')} lead={t('lead')}>
      <TableDrop />
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

function TableDrop() {
  const { t, find } = useTexts('bulk')
  const { organization } = useWorkplace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const organizationId = organization.Id
  const uploading = useMutation<BulkView, ApiError, File>({
    mutationFn: (file) => {
      const { signal } = new AbortController()
      const name = file.name.slice(-250)
      return sendFile(addBulkSending, { organizationId, name }, file, { signal, onProgress: () => {} })
    },
    // Said here, beside the file.
    meta: { showsErrors: true },
    onSuccess: async (bulk) => {
      client.setQueryData(bulkQuery({ organizationId, bulkId: bulk.id }).queryKey, bulk)
      void client.invalidateQueries({ queryKey: [getBulkSendings.path] })
      await navigate({ to: '/bulk/$id', params: { id: bulk.id } })
    },
  })
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file) uploading.mutate(file)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  const { error } = uploading
  const fault = typeof error?.parameters['fault'] === 'string' ? error.parameters['fault'] : ''
  return (
    <div
      {...dropZone}
      className={isOver ? classes.over : classes.zone}
      onDragOver={(event) => {
        event.preventDefault() // otherwise the browser would open the file
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {uploading.isPending ? <Loader size={28} /> : <OutgoingIcon size={28} />}
      <b role="status">{uploading.isPending ? t('reading') : t('drop')}</b>
      <Button disabled={uploading.isPending} onClick={() => input.current?.click()}>
        {t('choose')}
      </Button>
      <small>{t('limits')}</small>
      {error && (
        <Alert
          color="red"
          variant="light"
          icon={<WarningIcon size={20} />}
          role="alert"
          className={classes.fault}
        >
          {find(`bulk:faults.${fault}`, { ...error.parameters }) ??
            find(`errors:${error.alias}.text`, { ...error.parameters }) ??
            error.message}
        </Alert>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept=".xlsx,.csv"
        aria-label={t('choose')}
        onChange={(event) => {
          take(event.currentTarget.files)
          event.currentTarget.value = '' // so that the same file can be chosen again
        }}
      />
    </div>
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
