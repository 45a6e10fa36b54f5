/** The comments that the viewer may see, in a card beside the document; on a narrow screen in a sheet below it. */
import { useState } from 'react'
import { Button, Drawer } from '@mantine/core'
import { useTexts } from '../i18n/use-texts.ts'
import type { RequestKey } from '../requests/shared/queries.ts'
import type { RequestView } from '../requests/shared/request-view.ts'
import { Card } from '../ui/page/page.tsx'
import { CommentForm } from './comment-form.tsx'
import { Thread } from './thread.tsx'
import { isWritable, nowhere, type Comments } from './use-comments.ts'
import classes from './comments.module.css'

type Props = { request: RequestView; requestKey: RequestKey; comments: Comments }

export function CommentsCard(props: Props) {
  const title = useCommentsTitle(props.comments)
  if (!isShown(props.comments)) return null
  return (
    <Card title={title}>
      <CommentList {...props} />
    </Card>
  )
}

/** Opened by a mark, by choosing a place to comment on, or by a button. */
export function CommentsSheet(props: Props & { isOpen: boolean; onClose: () => void }) {
  const { t } = useTexts('comments')
  const title = useCommentsTitle(props.comments)
  return (
    <Drawer
      opened={props.isOpen}
      onClose={props.onClose}
      position="bottom"
      size="75%"
      title={title}
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <CommentList {...props} />
    </Drawer>
  )
}

export function useCommentsTitle({ openCount }: Pick<Comments, 'openCount'>): string {
  const { t } = useTexts('comments')
  return openCount === 0 ? t('title') : t('titleOpen', { count: openCount })
}

export function isShown(comments: Comments): boolean {
  return comments.threads.length > 0 || isWritable(comments)
}

function CommentList(props: Props) {
  const { t } = useTexts('comments')
  const { comments } = props
  const { draft, threads, chosen } = comments
  const [isAll, setAll] = useState(false)
  const open = threads.filter(({ resolved }) => resolved === null)
  const settled = threads.filter(({ resolved }) => resolved !== null)
  const isChosenSettled = settled.some(({ id }) => id === chosen)
  return (
    <div className={classes.list}>
      {draft ? (
        <CommentForm key={JSON.stringify(draft)} {...props} place={draft} />
      ) : (
        isWritable(comments) && (
          <>
            {threads.length === 0 && <p className={classes.quiet}>{t('empty')}</p>}
            <Button variant="default" onClick={() => comments.setDraft(nowhere)}>
              {t('write')}
            </Button>
          </>
        )
      )}
      {open.length > 0 && <Threads {...props} label={t('open')} threads={open} />}
      {settled.length > 0 && (
        <>
          <Button variant="subtle" aria-expanded={isAll || isChosenSettled} onClick={() => setAll(!isAll)}>
            {t('settled', { count: settled.length })}
          </Button>
          {(isAll || isChosenSettled) && <Threads {...props} label={t('settledLabel')} threads={settled} />}
        </>
      )}
      {comments.more && (
        <Button variant="default" onClick={comments.more}>
          {t('more')}
        </Button>
      )}
    </div>
  )
}

function Threads(props: Props & { label: string; threads: Comments['threads'] }) {
  const { request, requestKey, comments } = props
  return (
    <ul className={classes.threads} aria-label={props.label}>
      {props.threads.map((thread) => (
        <Thread
          key={thread.id}
          request={request}
          requestKey={requestKey}
          comments={comments}
          thread={thread}
        />
      ))}
    </ul>
  )
}
