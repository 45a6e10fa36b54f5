/** Signing with the national mobile app: a QR code for the phone, or links if the page is opened on the phone. */
import { useEffect, useEffectEvent, useState } from 'react'
import { Alert, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createCrosslinks, getCrosslinks } from '@kelisim/domain/requests/phone-contract.ts'
import { deviceOf } from '@kelisim/domain/signatures/device.ts'
import type * as z from 'zod/mini'
import { ApiError, call, query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { PhoneIcon, WarningIcon } from '../../ui/look/icons.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { isSignedInside, isSignedInXml, processOfRequest } from '../shared/request-view.ts'
import type { SigningResult, SigningTask } from './run-signing.ts'
import classes from './signing.module.css'

type Crosslinks = z.output<typeof createCrosslinks.result>
type PhoneState = z.output<typeof getCrosslinks.result>

const askEvery = 2000
const typingPause = 600

export function PhoneSigning(props: {
  organizationId: string
  /** Tasks of the same sender; one prompt of the app signs all of them. */
  tasks: readonly SigningTask[]
  comment: string
  /** Called when the code, which includes the comment, is shown. */
  onShown: () => void
  /** `results` is keyed by the id of the request. */
  onDone: (results: ReadonlyMap<string, SigningResult>) => void
}) {
  const { t, find } = useTexts('requests')
  const { organizationId, tasks, comment } = props
  const [links, setLinks] = useState<Crosslinks | null>(null)
  /** The comment in the links. */
  const [linked, setLinked] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const device = deviceOf(navigator.userAgent)
  const isOnPhone = device !== 'Desktop'
  const isPdf = tasks.every(
    ({ request }) => request.document.format === 'pdf' || processOfRequest(request) === 'terminating',
  )
  const isInside = tasks.some(isSignedInside)
  const showSoon = useEffectEvent(() => void show())
  // On the phone itself the links to the apps are made at once, and made again when typing of the comment pauses.
  useEffect(() => {
    if (!isOnPhone || !isPdf || isInside) return undefined
    const timer = setTimeout(showSoon, comment === '' ? 0 : typingPause)
    return () => clearTimeout(timer)
  }, [isOnPhone, isPdf, isInside, comment])
  if (tasks.some(isSignedInXml)) return <Alert role="alert">{t('signing.onPhone.notInXml')}</Alert>
  if (isInside) return <Alert role="alert">{t('errors:mobile-not-inside.text')}</Alert>
  if (!isPdf) return <Alert role="alert">{t('signing.onPhone.pdfOnly')}</Alert>

  async function show(): Promise<void> {
    setBusy(true)
    setError(null)
    try {
      const [first, ...also] = tasks.map(({ request, point }) => ({
        signingRequestId: request.id,
        pointId: point.pointId,
      }))
      setLinks(
        await call(createCrosslinks, {
          organizationId,
          ...first!,
          also,
          comment,
          deviceType: device,
          callbackURI: isOnPhone ? window.location.href : null,
        }),
      )
      setLinked(comment)
      // On the phone itself the comment may change until an app is opened.
      if (!isOnPhone) props.onShown()
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      setError(failure)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className={classes.content}>
      {error && (
        <Alert color="red" variant="light" icon={<WarningIcon size={20} />} role="alert">
          {find(`errors:${error.alias}.text`, { ...error.parameters }) ?? error.message}
        </Alert>
      )}
      {links ? (
        <Waiting
          key={links.id}
          links={links}
          isOnPhone={isOnPhone}
          organizationId={organizationId}
          isBusy={isBusy}
          isOutdated={isOnPhone && linked !== comment}
          onOpened={props.onShown}
          onRenew={() => void show()}
          onDone={props.onDone}
        />
      ) : (
        <>
          <p>{t('signing.onPhone.lead')}</p>
          {isOnPhone && !error ? (
            <LoadingLines count={2} />
          ) : (
            <Group justify="flex-end">
              <Button leftSection={<PhoneIcon size={18} />} loading={isBusy} onClick={() => void show()}>
                {t('signing.onPhone.show')}
              </Button>
            </Group>
          )}
        </>
      )}
    </div>
  )
}

const over = ['done', 'canceled', 'fail', 'expired']

function Waiting(props: {
  links: Crosslinks
  isOnPhone: boolean
  organizationId: string
  isBusy: boolean
  /** The comment was changed after the links were made. */
  isOutdated: boolean
  /** Called when an app is opened on this phone. */
  onOpened: () => void
  onRenew: () => void
  onDone: (results: ReadonlyMap<string, SigningResult>) => void
}) {
  const { t, find } = useTexts('requests')
  const { links, isOnPhone, onDone } = props
  const { data } = useQuery({
    ...query(getCrosslinks, { organizationId: props.organizationId, crosslinkId: links.id }),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : askEvery),
    staleTime: 0,
  })
  const results = resultsIn(data)
  const judged = results.map(([, { kind }]) => kind).join()
  useEffect(() => {
    if (results.length > 0) onDone(new Map(results))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- called only when the judgement of a signature changes
  }, [judged])
  const state = data?.state ?? 'new'
  const { refusal } = data ?? { refusal: null }
  const isRefused = results.some(([, { kind }]) => kind === 'refused')
  if (over.includes(state) && (state !== 'done' || isRefused)) {
    const why = refusal && find(`errors:${refusal.alias}.text`, refusal.parameters)
    return (
      <>
        {/* The dialog says why a signature was refused. */}
        {!isRefused && (
          <Alert color="red" variant="light" icon={<WarningIcon size={20} />} role="alert">
            {why ?? t(`signing.onPhone.states.${state}`)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button loading={props.isBusy} onClick={props.onRenew}>
            {t('signing.onPhone.renew')}
          </Button>
        </Group>
      </>
    )
  }
  return (
    <>
      {isOnPhone ? (
        <PhoneLinks links={links} isOutdated={props.isOutdated} onOpened={props.onOpened} />
      ) : (
        <QrCode links={links} />
      )}
      <p role="status" className={classes.phoneState}>
        {t(`signing.onPhone.states.${state}`)}
      </p>
      {state !== 'done' && <Countdown until={links.expiresAt} />}
    </>
  )
}

function PhoneLinks(props: { links: Crosslinks; isOutdated: boolean; onOpened: () => void }) {
  const { t } = useTexts('requests')
  const { links, standInUrl } = props.links
  const way = { component: 'a', loading: props.isOutdated, onClick: props.onOpened } as const
  return (
    <div className={classes.apps}>
      <Button {...way} href={links.eGovMobile}>
        {t('signing.onPhone.eGovMobile')}
      </Button>
      <Button {...way} variant="default" href={links.eGovBusiness}>
        {t('signing.onPhone.eGovBusiness')}
      </Button>
      {standInUrl && <StandIn url={standInUrl} />}
    </div>
  )
}

function QrCode({ links: { qr, standInUrl } }: { links: Crosslinks }) {
  const { t } = useTexts('requests')
  return (
    <div className={classes.qr}>
      <svg viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" aria-label={t('signing.onPhone.code')}>
        <path d={qr.path} />
      </svg>
      <div>
        <p>{t('signing.onPhone.scan')}</p>
        {standInUrl && <StandIn url={standInUrl} />}
      </div>
    </div>
  )
}

function StandIn({ url }: { url: string }) {
  const { t } = useTexts('requests')
  return (
    <Button component="a" variant="default" href={url} target="_blank" rel="noreferrer">
      {t('signing.onPhone.standIn')}
    </Button>
  )
}

function Countdown({ until }: { until: string }) {
  const { t } = useTexts('requests')
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(ticking)
  }, [])
  const seconds = Math.max(0, Math.round((new Date(until).getTime() - now) / 1000))
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return <p className={classes.quiet}>{t('signing.onPhone.left', { time })}</p>
}

function isOver(data: PhoneState | undefined): boolean {
  return data !== undefined && over.includes(data.state)
}

function resultsIn(data: PhoneState | undefined): [string, SigningResult][] {
  if (!data) return []
  const { signingRequestId, signature, also } = data
  return [{ signingRequestId, signature }, ...also].flatMap((one): [string, SigningResult][] =>
    one.signature ? [[one.signingRequestId, resultOf(one.signature)]] : [],
  )
}

function resultOf({ state, code }: NonNullable<PhoneState['signature']>): SigningResult {
  return state === 'refused' ? { kind: 'refused', code } : { kind: state }
}
