/** What a page shows instead of content: not found, failed, empty. Each has a picture and an action. */
import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { pages } from '@kelisim/domain/pages.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { EmptyPicture, FailurePicture, LostPicture } from '../look/pictures.tsx'
import { WindowTitle } from './page.tsx'
import classes from './states.module.css'

export function State(props: {
  picture: ReactNode
  title: string
  text?: ReactNode
  children?: ReactNode
  isPage?: boolean
}) {
  return (
    <div className={classes.state} {...(props.isPage && { role: 'alert' })}>
      {props.picture}
      {props.isPage ? <h1>{props.title}</h1> : <h2>{props.title}</h2>}
      {props.text && <p>{props.text}</p>}
      {props.children && <div className={classes.ways}>{props.children}</div>}
    </div>
  )
}

export function PageNotFound() {
  const { t } = useTexts()
  return (
    <>
      <WindowTitle title={t('notFound.title')} />
      <State isPage picture={<LostPicture />} title={t('notFound.title')} text={t('notFound.text')}>
        {/* In a new tab there is no page to go back to. */}
        {window.history.length > 1 ? (
          <Button onClick={() => window.history.back()}>{t('actions.back')}</Button>
        ) : (
          <Button component="a" href={pages.incomingRequests}>
            {t('noRights.toIncoming')}
          </Button>
        )}
      </State>
    </>
  )
}

export function ErrorPage({ onRetry }: { onRetry?: () => void }) {
  const { t } = useTexts()
  return (
    <>
      <WindowTitle title={t('errorPage.title')} />
      <State isPage picture={<FailurePicture />} title={t('errorPage.title')} text={t('errorPage.text')}>
        <Button onClick={onRetry ?? (() => window.location.reload())}>{t('actions.reload')}</Button>
      </State>
    </>
  )
}

export function NoData({ text, children }: { text: string; children?: ReactNode }) {
  const { t } = useTexts()
  return (
    <State picture={<EmptyPicture />} title={t('noData.title')} text={text}>
      {children}
    </State>
  )
}
