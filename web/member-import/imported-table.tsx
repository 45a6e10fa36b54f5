/** The uploaded table: how many rows are correct, the button that invites their people, the progress and the rows. */
import { useState } from 'react'
import { Alert, Button, Progress, SegmentedControl, Select } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import {
  downloadBadRows,
  removeMemberImport,
  startMemberImport,
} from '@kelisim/domain/member-import/contract.ts'
import { getInvitations } from '@kelisim/domain/portal/contract.ts'
import { isLanguage, languages } from '@kelisim/texts/languages.ts'
import { call } from '../api/api.ts'
import { fetchFile, saveBytes } from '../api/file-api.ts'
import { currentLanguage } from '../i18n/language.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { toast } from '../ui/dialogs/toast.tsx'
import { formatMoment } from '../ui/format/dates.ts'
import { DownloadIcon } from '../ui/look/icons.tsx'
import { Card } from '../ui/page/page.tsx'
import { ImportRows } from './import-rows.tsx'
import classes from './member-import.module.css'
import { importQuery, type ImportView, type RowFilter } from './queries.ts'

type Props = { memberImport: ImportView; organizationId: string }

export function ImportedTable({ memberImport, organizationId }: Props) {
  const { t } = useTexts('member-import')
  const { counts, pausedUntil, isRunning } = memberImport
  const { good, bad, queued, invited } = counts
  return (
    <>
      <Card title={memberImport.fileName}>
        <p role="status">{t('summary', counts)}</p>
        {invited + queued > 0 && (
          <div className={classes.progress}>
            <b>{t('progress', { invited, total: invited + queued })}</b>
            <Progress
              size="lg"
              value={(invited / (invited + queued)) * 100}
              aria-label={t('progress', { invited, total: invited + queued })}
            />
            {isRunning && <small>{t('closable')}</small>}
          </div>
        )}
        {pausedUntil !== null && (
          <Alert color="yellow" variant="light" className={classes.note}>
            {t('paused', { time: formatMoment(pausedUntil) })}
          </Alert>
        )}
        {bad > 0 && <p className={classes.quiet}>{t('badStay')}</p>}
        {good > 0 && !isRunning && <Start memberImport={memberImport} organizationId={organizationId} />}
        <Acts memberImport={memberImport} organizationId={organizationId} />
        <p className={classes.quiet}>{t('kept')}</p>
      </Card>
      <Rows memberImport={memberImport} organizationId={organizationId} />
    </>
  )
}

function Start({ memberImport, organizationId }: Props) {
  const { t } = useTexts('member-import')
  const client = useQueryClient()
  const [language, setLanguage] = useState(currentLanguage)
  const starting = useMutation({
    mutationFn: () => call(startMemberImport, { organizationId, importId: memberImport.id, language }),
    onSuccess: (started) => {
      client.setQueryData(importQuery(organizationId).queryKey, { memberImport: started })
      void client.invalidateQueries({ queryKey: [getInvitations.path] })
    },
    onError: () => client.invalidateQueries({ queryKey: importQuery(organizationId).queryKey }),
  })
  return (
    <div className={classes.start}>
      <Select
        label={t('language')}
        data={languages.map((value) => ({ value, label: t(`common:languages.${value}`) }))}
        value={language}
        allowDeselect={false}
        onChange={(value) => isLanguage(value) && setLanguage(value)}
      />
      <Button loading={starting.isPending} onClick={() => starting.mutate()}>
        {t('start', { count: memberImport.counts.good })}
      </Button>
    </div>
  )
}

function Acts({ memberImport, organizationId }: Props) {
  const { t } = useTexts('member-import')
  const client = useQueryClient()
  const exporting = useMutation({
    mutationFn: async () => {
      const bytes = await fetchFile(downloadBadRows, { organizationId })
      const name = memberImport.fileName.replace(/\.(xlsx|csv)$/i, '')
      saveBytes(bytes, `${name} ${t('bad.suffix')}.xlsx`, mediaTypes.xlsx)
    },
  })
  const removing = useMutation({
    mutationFn: () => call(removeMemberImport, { organizationId }),
    onSuccess: () => {
      client.setQueryData(importQuery(organizationId).queryKey, { memberImport: null })
      toast(t('removed'))
    },
  })
  return (
    <div className={classes.acts}>
      {memberImport.counts.bad > 0 && (
        <Button
          variant="default"
          leftSection={<DownloadIcon size={18} />}
          loading={exporting.isPending}
          onClick={() => exporting.mutate()}
        >
          {t('bad.download')}
        </Button>
      )}
      {!memberImport.isRunning && (
        <Button variant="default" loading={removing.isPending} onClick={() => removing.mutate()}>
          {t('remove')}
        </Button>
      )}
    </div>
  )
}

function Rows({ memberImport, organizationId }: Props) {
  const { t } = useTexts('member-import')
  const { good, bad, queued, invited } = memberImport.counts
  const [only, setOnly] = useState<'all' | NonNullable<RowFilter>>(bad > 0 ? 'bad' : 'all')
  const choices = [
    { value: 'all', label: t('rows.all') },
    ...(bad > 0 ? [{ value: 'bad', label: t('rows.bad') }] : []),
    ...(good > 0 ? [{ value: 'good', label: t('rows.good') }] : []),
    ...(invited + queued > 0 ? [{ value: 'invited', label: t('rows.invited') }] : []),
  ]
  const shown = choices.some(({ value }) => value === only) ? only : 'all'
  return (
    <Card title={t('rows.title')}>
      <SegmentedControl
        size="md"
        className={classes.filter}
        aria-label={t('rows.title')}
        data={choices}
        value={shown}
        onChange={(value) => setOnly(value as typeof only)}
      />
      <ImportRows
        organizationId={organizationId}
        only={shown === 'all' ? undefined : shown}
        stamp={`${memberImport.id} ${good} ${bad} ${queued} ${invited}`}
      />
    </Card>
  )
}
