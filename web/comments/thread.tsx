/** One thread: who may read it, its place in the document, its comments, and the actions on it. */
import { useEffect, useRef, useState } from 'react'
import { Button, Group } from '@mantine/core'
import { addAnswer, longestText, resolveThread } from '@kelisim/domain/comments/contract.ts'
import { ApiError, call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { RequestKey } from '../requests/shared/queries.ts'
import type { RequestView } from '../requests/shared/request-view.ts'
import { showError } from '../ui/dialogs/error-store.ts'
import { formatShortMoment } from '../ui/format/dates.ts'
import { FormFields, SubmitButton, TextField, useApiForm } from '../ui/form/form.tsx'
import { Badge } from '../ui/look/badge.tsx'
import { BuildingIcon, PeopleIcon } from '../ui/look/icons.tsx'
import type { ThreadView } from './queries.ts'
import type { Comments } from './use-comments.ts'
import classes from './comments.module.css'

type Props = { request: RequestView; requestKey: RequestKey; comments: Comments; thread: ThreadView }

export function Thread(props: Props) {
  const { t } = useTexts('comments')
  const { request, comments, thread } = props
  const { id, isShared, page, quote, resolved } = thread
  const isChosen = comments.chosen === id
  const here = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isChosen) here.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  const isEarlier = thread.revision !== request.revision
  const where = page === null ? null : t('thread.page', { page })
  return (
    <li ref={here} className={classes.thread} data-tone={isShared ? 'all' : 'own'} data-chosen={isChosen}>
      <p className={classes.head}>
        <Badge tone={isShared ? 'prim' : 'gold'}>
          {isShared ? <PeopleIcon size={14} /> : <BuildingIcon size={14} />}
          {t(isShared ? 'who.shared' : 'who.internal')}
        </Badge>
        {where &&
          (isEarlier || resolved ? (
            <span>{where}</span>
          ) : (
            <button type="button" className={classes.where} onClick={() => comments.places.onOpen(id)}>
              {where}
            </button>
          ))}
      </p>
      {isEarlier && <p className={classes.quiet}>{t('thread.earlier')}</p>}
      {quote !== '' && <blockquote className={classes.quote}>{quote}</blockquote>}
      <ol className={classes.comments}>
        {thread.comments.map((comment) => (
          <li key={comment.id}>
            <b>{comment.fullName}</b>
            <small>
              {[comment.organizationName, formatShortMoment(comment.at)].filter((part) => part).join(' · ')}
            </small>
            <p>{comment.text}</p>
          </li>
        ))}
      </ol>
      {resolved && (
        <p className={classes.quiet}>
          {t('thread.resolved', { name: resolved.fullName, date: formatShortMoment(resolved.at) })}
        </p>
      )}
      {(isShared ? comments.canWrite.shared : comments.canWrite.internal) && <Acts {...props} />}
    </li>
  )
}

function Acts({ requestKey, comments, thread }: Props) {
  const { t } = useTexts('comments')
  const [isAnswering, setAnswering] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const isResolved = thread.resolved !== null
  const settle = async () => {
    setBusy(true)
    try {
      await call(resolveThread, { ...requestKey, threadId: thread.id, isResolved: !isResolved })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      showError(error)
    }
    await comments.refresh()
    setBusy(false)
  }
  if (isAnswering) {
    return (
      <AnswerForm
        requestKey={requestKey}
        comments={comments}
        thread={thread}
        onClose={() => setAnswering(false)}
      />
    )
  }
  return (
    <Group gap={8}>
      {!isResolved && (
        <Button variant="default" size="compact-md" onClick={() => setAnswering(true)}>
          {t('thread.answer')}
        </Button>
      )}
      <Button variant="subtle" size="compact-md" loading={isBusy} onClick={() => void settle()}>
        {t(isResolved ? 'thread.reopen' : 'thread.resolve')}
      </Button>
    </Group>
  )
}

function AnswerForm(props: Omit<Props, 'request'> & { onClose: () => void }) {
  const { t } = useTexts('comments')
  const { requestKey, comments, thread, onClose } = props
  const [key] = useState(() => crypto.randomUUID())
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => top.current?.querySelector('textarea')?.focus(), [])
  const form = useApiForm({
    id: `answer:${thread.id}`,
    endpoint: addAnswer,
    fixed: { ...requestKey, threadId: thread.id, key },
    initial: { text: '' },
    onDone: async () => {
      await comments.refresh()
      onClose()
    },
    guardsPage: false,
  })
  return (
    <div ref={top}>
      <FormFields form={form} label={t('thread.answer')}>
        <TextField
          name="text"
          label={t('thread.answer')}
          help={t(thread.isShared ? 'who.sharedHelp' : 'who.internalHelp')}
          max={longestText}
          isRequired
          lines={2}
        />
        <Group mt={8} justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:actions.cancel')}
          </Button>
          <SubmitButton>{t(thread.isShared ? 'form.sendShared' : 'form.sendInternal')}</SubmitButton>
        </Group>
      </FormFields>
    </div>
  )
}
