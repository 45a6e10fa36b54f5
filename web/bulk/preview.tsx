/** All rows before anything is sent, faulty rows first, and the button that sends the others. */
import { useState } from 'react'
import { Button, SegmentedControl } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getBulkRows, startBulkSending } from '@kelisim/domain/bulk/contract.ts'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { Card } from '../ui/page/page.tsx'
import classes from './bulk.module.css'
import { bulkQuery, type BulkKey, type BulkView } from './queries.ts'
import { RowsList } from './rows-list.tsx'

export function Preview({ bulk, bulkKey }: { bulk: BulkView; bulkKey: BulkKey }) {
  const { t } = useTexts('bulk')
  const client = useQueryClient()
  const confirming = useDialog<null>()
  const { total, bad } = bulk.counts
  const [view, setView] = useState<'all' | 'bad'>(bad > 0 ? 'bad' : 'all')
  const shown = bad === 0 ? 'all' : view
  const starting = useMutation({
    mutationFn: () => call(startBulkSending, { ...bulkKey, skipsBad: bad > 0 }),
    onSuccess: (started) => {
      client.setQueryData(bulkQuery(bulkKey).queryKey, started)
      void client.invalidateQueries({ queryKey: [getBulkRows.path] })
    },
    onSettled: confirming.close,
  })
  const good = total - bad
  return (
    <Card title={t('preview.title')}>
      <p className={classes.counts} role="status">
        <b>{t('preview.good', { count: good })}</b>
        {' · '}
        <span className={bad > 0 ? classes.bad : undefined}>
          {bad > 0 ? t('preview.bad', { count: bad }) : t('preview.allGood')}
        </span>
      </p>
      {bad > 0 && (
        <SegmentedControl
          size="md"
          aria-label={t('preview.title')}
          data={[
            { value: 'bad', label: t('preview.onlyBad') },
            { value: 'all', label: t('preview.all') },
          ]}
          value={view}
          onChange={(next) => setView(next === 'bad' ? 'bad' : 'all')}
        />
      )}
      <RowsList bulkKey={bulkKey} only={shown === 'bad' ? 'bad' : undefined} isDraft />
      <div className={classes.acts}>
        <Button
          disabled={good === 0}
          loading={starting.isPending}
          onClick={() => (bad > 0 ? confirming.open(null) : starting.mutate())}
        >
          {t('preview.start', { count: good })}
        </Button>
        <Button variant="default" renderRoot={(root) => <Link to="/bulk" {...root} />}>
          {t('preview.another')}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={confirming.isOpen}
        title={t('preview.confirmTitle')}
        text={t('preview.confirmText', { count: bad })}
        yes={t('preview.confirmYes')}
        isBusy={starting.isPending}
        onYes={() => starting.mutate()}
        onNo={confirming.close}
      />
    </Card>
  )
}
