/**
 * The progress of a bulk sending: how many rows are sent, pausing, retrying, the result, and signing all with one key
 * prompt.
 */
import { lazy, useState } from 'react'
import { Button, Progress, SegmentedControl } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  bulkActs,
  downloadBulkResult,
  getBulkRows,
  getBulkToSign,
  steerBulkSending,
} from '@kelisim/domain/bulk/contract.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { call } from '../api/api.ts'
import { fetchFile, saveBytes } from '../api/file-api.ts'
import { loadTexts } from '../i18n/language.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useRefreshLists } from '../requests/shared/refresh-lists.ts'
import { MountOnOpen } from '../ui/dialogs/mount-on-open.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { DownloadIcon } from '../ui/look/icons.tsx'
import { Card } from '../ui/page/page.tsx'
import classes from './bulk.module.css'
import { bulkQuery, bulkToSignQuery, type BulkKey, type BulkView } from './queries.ts'
import { RowsList, type RowFilter } from './rows-list.tsx'

const SigningDialog = lazy(async () => {
  const [{ SigningDialog: dialog }] = await Promise.all([
    import('../requests/signing/signing-dialog.tsx'),
    loadTexts('requests', 'signatures', 'documents'),
  ])
  return { default: dialog }
})

type Props = { bulk: BulkView; bulkKey: BulkKey }

export function BulkProgress({ bulk, bulkKey }: Props) {
  const { t } = useTexts('bulk')
  const { counts, state } = bulk
  const { total, sent, failed, skipped } = counts
  const wanted = total - skipped
  const steering = useSteering(bulkKey)
  const exporting = useMutation({
    mutationFn: async () => {
      const bytes = await fetchFile(downloadBulkResult, bulkKey)
      const name = bulk.fileName.replace(/\.(xlsx|csv)$/i, '')
      saveBytes(bytes, `${name} ${t('result.suffix')}.xlsx`, mediaTypes.xlsx)
    },
  })
  return (
    <>
      <Card title={t('progress.title')}>
        <p className={classes.counts} role="status">
          <b>{t('progress.of', { sent, total: wanted })}</b>
          {failed > 0 && <span className={classes.bad}>{t('progress.failed', { count: failed })}</span>}
          {skipped > 0 && <span>{t('progress.skipped', { count: skipped })}</span>}
        </p>
        <Progress
          size="lg"
          value={wanted === 0 ? 100 : ((sent + failed) / wanted) * 100}
          aria-label={t('progress.title')}
        />
        {state === 'running' && <p className={classes.quiet}>{t('progress.closable')}</p>}
        <div className={classes.acts}>
          <SignAll bulk={bulk} bulkKey={bulkKey} />
          {state === 'running' && (
            <Button variant="default" loading={steering.isPending} onClick={() => steering.mutate('pause')}>
              {t('progress.pause')}
            </Button>
          )}
          {state === 'paused' && (
            <Button loading={steering.isPending} onClick={() => steering.mutate('resume')}>
              {t('progress.resume')}
            </Button>
          )}
          {failed > 0 && state !== 'running' && (
            <Button variant="default" loading={steering.isPending} onClick={() => steering.mutate('retry')}>
              {t('progress.retry', { count: failed })}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<DownloadIcon size={18} />}
            loading={exporting.isPending}
            onClick={() => exporting.mutate()}
          >
            {t('progress.result')}
          </Button>
        </div>
      </Card>
      <Rows bulk={bulk} bulkKey={bulkKey} />
    </>
  )
}

function useSteering(bulkKey: BulkKey) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (act: (typeof bulkActs)[number]) => call(steerBulkSending, { ...bulkKey, act }),
    onSuccess: (bulk) => {
      client.setQueryData(bulkQuery(bulkKey).queryKey, bulk)
      void client.invalidateQueries({ queryKey: [getBulkRows.path] })
    },
  })
}

/** Offers the sender to sign all requests, once every row is sent. */
function SignAll({ bulk, bulkKey }: Props) {
  const { t } = useTexts('bulk')
  const client = useQueryClient()
  const refresh = useRefreshLists()
  const signing = useDialog<string[]>()
  const { data } = useQuery({
    ...bulkToSignQuery(bulkKey),
    enabled: bulk.state !== 'running' && bulk.counts.sent > 0,
    staleTime: 0,
  })
  const ids = data?.signingRequestIds ?? []
  return (
    <>
      {ids.length > 0 && bulk.state !== 'running' && (
        <Button onClick={() => signing.open(ids)}>{t('progress.sign', { count: ids.length })}</Button>
      )}
      <MountOnOpen isOpen={signing.isOpen}>
        <SigningDialog
          isOpen={signing.isOpen}
          organizationId={bulkKey.organizationId}
          requestIds={signing.subject ?? []}
          onChanged={refresh}
          onClose={() => {
            signing.close()
            void client.invalidateQueries({ queryKey: [getBulkToSign.path] })
          }}
        />
      </MountOnOpen>
    </>
  )
}

function Rows({ bulk, bulkKey }: Props) {
  const { t } = useTexts('bulk')
  const [only, setOnly] = useState<'all' | NonNullable<RowFilter>>('all')
  const { failed, skipped } = bulk.counts
  const choices = [
    { value: 'all', label: t('preview.all') },
    ...(failed > 0 ? [{ value: 'failed', label: t('rowStates.failed') }] : []),
    ...(skipped > 0 ? [{ value: 'skipped', label: t('rowStates.skipped') }] : []),
  ]
  const shown = choices.some(({ value }) => value === only) ? only : 'all'
  return (
    <Card title={t('preview.title')}>
      {choices.length > 1 && (
        <SegmentedControl
          size="md"
          aria-label={t('preview.title')}
          data={choices}
          value={shown}
          onChange={(value) => setOnly(value as typeof only)}
        />
      )}
      <RowsList
        bulkKey={bulkKey}
        only={shown === 'all' ? undefined : shown}
        isDraft={false}
        stamp={`${bulk.state} ${bulk.counts.sent} ${failed}`}
      />
    </Card>
  )
}
