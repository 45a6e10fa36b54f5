import { ActionIcon, Button, Progress } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { CheckIcon, CloseIcon, DocumentIcon, WarningIcon } from '../ui/look/icons.tsx'
import { formatSize } from './shared/size.ts'
import classes from './upload.module.css'
import { canRetry, problemOf } from './uploads.ts'
import type { About, UploadItem, Uploads } from './use-uploads.ts'

/** One file of an upload: its name, its progress and the action it offers. */
export function UploadRow(props: { item: UploadItem; uploads: Uploads; about: About; onOpen: () => void }) {
  const { t } = useTexts('documents')
  const { item, uploads } = props
  const { file, state } = item
  const { name } = file
  const isBad = problemOf(item) !== null
  return (
    <li className={classes.file}>
      <span className={classes.icon} data-tone={isBad ? 'bad' : state.kind === 'done' ? 'ok' : 'off'}>
        {isBad ? <WarningIcon /> : state.kind === 'done' ? <CheckIcon /> : <DocumentIcon />}
      </span>
      <div className={classes.what}>
        <b>{name}</b>
        <StateLine item={item} />
        {state.kind === 'sending' && (
          <Progress
            value={percentOf(item, state.sent)}
            size="sm"
            mt={6}
            aria-label={t('upload.progress', { name })}
          />
        )}
      </div>
      <RowEnd {...props} onStop={() => uploads.cancel(item.id)} />
    </li>
  )
}

function StateLine({ item }: { item: UploadItem }) {
  const { t, find } = useTexts('documents')
  const { file, state } = item
  const problem = problemOf(item)
  if (problem) {
    const words = find(`errors:${problem.alias}.text`, problem.parameters)
    return (
      <small role="alert" className={classes.bad}>
        {words ?? t('common:errorPage.title')}
      </small>
    )
  }
  return (
    <small role="status">
      {formatSize(file.size, t)} · {words()}
    </small>
  )

  function words(): string {
    switch (state.kind) {
      case 'sending': {
        const percent = percentOf(item, state.sent)
        return percent >= 100 ? t('upload.checking') : t('upload.sending', { percent })
      }
      case 'waiting':
      case 'queued':
      case 'done':
      case 'cancelled':
        return t(`upload.${state.kind}`)
      case 'failed':
        return ''
    }
  }
}

function RowEnd(props: {
  item: UploadItem
  uploads: Uploads
  about: About
  onOpen: () => void
  onStop: () => void
}) {
  const { t } = useTexts('documents')
  const { item, uploads } = props
  const { name } = item.file
  switch (item.state.kind) {
    case 'waiting':
      return <Cross label={t('upload.remove', { name })} onClick={() => uploads.remove(item.id)} />
    case 'queued':
    case 'sending':
      return <Cross label={t('upload.cancel', { name })} onClick={props.onStop} />
    case 'failed':
    case 'cancelled':
      return (
        <>
          {canRetry(item) && (
            <Button
              variant="default"
              size="compact-md"
              aria-label={t('upload.retryOne', { name })}
              onClick={() => uploads.retry(item, props.about)}
            >
              {t('upload.retry')}
            </Button>
          )}
          <Cross label={t('upload.remove', { name })} onClick={() => uploads.remove(item.id)} />
        </>
      )
    case 'done':
      return (
        <span className={classes.ways}>
          {uploads.done > 1 && (
            <Link
              to="/signingRequests/add/{-$id}"
              params={{ id: item.state.document.id }}
              replace
              aria-label={t('upload.sendOne', { name })}
            >
              {t('upload.sendShort')}
            </Link>
          )}
          <Link
            to="/documents/$path/$id"
            params={{ path: 'my', id: item.state.document.id }}
            aria-label={t('upload.openOne', { name })}
            onClick={props.onOpen}
          >
            {t('upload.open')}
          </Link>
        </span>
      )
  }
}

function Cross({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="var(--ink-2)" size={40} aria-label={label} onClick={onClick}>
      <CloseIcon />
    </ActionIcon>
  )
}

function percentOf({ file }: UploadItem, sent: number): number {
  return file.size === 0 ? 100 : Math.min(100, Math.floor((sent / file.size) * 100))
}
