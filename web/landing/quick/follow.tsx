/** The state of a document that was sent without an account, for anyone who has the link; it refreshes itself. */
import { useEffect, useState } from 'react'
import {
  downloadTracked,
  downloadTrackedSigned,
  trackRequest,
} from '@kelisim/domain/landing/quick-send-contract.ts'
import { pointStatuses, requestStatuses } from '@kelisim/domain/requests/status.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { pages } from '@kelisim/domain/pages.ts'
import type * as z from 'zod/mini'
import { ApiError, call } from '../../api/api.ts'
import { fetchFile, saveBytes } from '../../api/file-api.ts'
import { useTexts, type KeyOf } from '../../i18n/use-texts.ts'
import { pageConfig } from '../../api/page-config.ts'
import { formatMoment } from '../../ui/format/dates.ts'
import { errorText } from './calls.ts'
import { CopyLink } from './copy-link.tsx'
import classes from './quick.module.css'

type View = z.output<typeof trackRequest.result>
type Point = View['points'][number]

function mailState({ isMailed, isHeld }: View): KeyOf<'landing-quick-send'> {
  if (!isMailed) return 'sent.notMailed'
  return isHeld ? 'sent.held' : 'sent.mailed'
}

const askEvery = 4000

export function Follow({ follow }: { follow: string }) {
  const { t } = useTexts('landing-quick-send')
  const [view, setView] = useState<View | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  useEffect(() => {
    const ask = () =>
      void call(trackRequest, { follow }, undefined, { isOpenToAll: true }).then(
        (answer) => {
          setView(answer)
          setFailure(null)
        },
        (error: unknown) => {
          // Keep what is shown if a refresh fails; an unknown link is an error.
          if (error instanceof ApiError && error.status === 404) setView(null)
          setFailure(errorText(error))
        },
      )
    ask()
    const asking = setInterval(() => {
      if (document.visibilityState === 'visible') ask()
    }, askEvery)
    return () => clearInterval(asking)
  }, [follow])

  async function save(what: 'document' | 'electronic', name: string): Promise<void> {
    try {
      const e = what === 'document' ? downloadTracked : downloadTrackedSigned
      saveBytes(await fetchFile(e, { follow }), name, 'application/octet-stream')
    } catch (error) {
      setFailure(errorText(error))
    }
  }

  if (!view) {
    return failure ? (
      <p className={classes.problem} role="alert">
        {failure}
      </p>
    ) : (
      <p role="status">{t('follow.loading')}</p>
    )
  }
  const status = requestStatuses.list(view.status)[0]!
  return (
    <div className={classes.follow}>
      <p className={classes.eyebrow}>{t('follow.title')}</p>
      <h1>{view.name}</h1>
      <p className={classes.state} data-status={status} role="status">
        {t(`status.${status}`)}
      </p>
      <p className={classes.hint}>
        {t('follow.sent')} {formatMoment(view.createdAt)}. {t('follow.live')}
      </p>
      <p className={classes.problem} role="alert">
        {failure}
      </p>
      <h2>{t('follow.points')}</h2>
      <ol className={classes.points}>
        {view.points.map((point) => (
          <PointLine key={point.bin} point={point} />
        ))}
      </ol>
      <div className={classes.ways}>
        <button
          type="button"
          className={classes.secondary}
          onClick={() => void save('document', view.fileName)}
        >
          {t('follow.download')}
        </button>
        {view.isSigned && (
          <button
            type="button"
            className={classes.secondary}
            onClick={() => void save('electronic', `${view.fileName}.cms`)}
          >
            {t('follow.downloadSigned')}
          </button>
        )}
        {view.isSigned && (
          <a className={classes.secondary} href={pages.verify}>
            {t('follow.checkIt')}
          </a>
        )}
      </div>
      {status === 'InProgress' && (
        <>
          <h2>{t('follow.link')}</h2>
          <p>{t(mailState(view), { email: view.recipientEmail })}</p>
          <p>
            <CopyLink url={view.recipientUrl} />
          </p>
        </>
      )}
      <aside className={classes.account}>
        <h2>{t('follow.account')}</h2>
        <p>{t(view.isClaimed ? 'follow.claimed' : 'follow.accountText')}</p>
        <div className={classes.ways}>
          <a className={classes.primary} href={pages.outgoingRequests}>
            {t('follow.signIn')}
          </a>
          {pageConfig.registerUrl && !view.isClaimed && (
            <a className={classes.secondary} href={pageConfig.registerUrl}>
              {t('follow.register')}
            </a>
          )}
        </div>
      </aside>
    </div>
  )
}

function PointLine({ point }: { point: Point }) {
  const { t } = useTexts('landing-quick-send')
  const key: KeyOf<'landing-quick-send'> = `point.${point.status as (typeof pointStatuses)[keyof typeof pointStatuses]}`
  return (
    <li data-status={point.status}>
      <b>{point.organizationName === point.bin ? inGroups(point.bin) : point.organizationName}</b>
      <span className={classes.hint}>
        {point.organizationName !== point.bin && `${inGroups(point.bin)} · `}
        {t(point.isSender ? 'follow.sender' : 'follow.recipient')}
      </span>
      <span>
        {t(key)}
        {point.doneAt && `, ${formatMoment(point.doneAt)}`}
      </span>
      {point.signedBy && (
        <span className={classes.hint}>{t('follow.signedBy', { name: point.signedBy })}</span>
      )}
      {point.comment && <span>{t('follow.reason', { comment: point.comment })}</span>}
    </li>
  )
}
