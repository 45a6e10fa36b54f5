/** The check page before, during and after a check; the result view is loaded when it is needed. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { loadTexts } from '../i18n/language.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { pageConfig } from '../api/page-config.ts'
import { BrandLink } from '../ui/look/brand.tsx'
import { DemoRibbon } from '../ui/look/demo-ribbon.tsx'
import { LanguageChoice } from '../ui/look/language-choice.tsx'
import type { Failure } from './checking/check-messages.ts'
import type { Progress } from '@kelisim/signature/container/group.ts'
import type { Report } from './checking/report.ts'
import { codeInFragment } from '../requests/link/code-in-address.ts'
import type { OpenedRequest } from '../requests/link/open-by-code.ts'
import { CodeForm } from './code-form.tsx'
import { DropPlace } from './drop-place.tsx'
import { ArchiveIcon, FileIcon, PrintIcon, SignedIcon } from './icons.tsx'
import type { InputFile } from '@kelisim/signature/container/input-file.ts'
import classes from './verify.module.css'

const ResultView = lazy(() => import('./result-view.tsx').then((m) => ({ default: m.ResultView })))
const HeldView = lazy(() => import('./held-view.tsx').then((m) => ({ default: m.HeldView })))

type State =
  | { at: 'start' }
  | { at: 'checking'; progress: Progress | null }
  | { at: 'result'; report: Report }
  | { at: 'failed'; failure: Failure }
  | { at: 'held'; opened: OpenedRequest }

export function VerifyPage() {
  const { t } = useTexts('verify')
  const [state, setState] = useState<State>({ at: 'start' })
  const [files, setFiles] = useState<InputFile[]>([])
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])
  useEffect(() => {
    document.title = `${t('title')} — Келісім`
  })

  async function check(given: InputFile[]): Promise<void> {
    stop.current()
    let isStopped = false
    stop.current = () => (isStopped = true)
    setFiles(given)
    setState({ at: 'checking', progress: null })
    try {
      const [{ startCheck }] = await Promise.all([
        import('./checking/start-check.ts'),
        loadTexts('signatures'),
      ])
      if (isStopped) return
      stop.current = startCheck(given, {
        onProgress: (progress) => setState({ at: 'checking', progress }),
        onReport: (report) => setState({ at: 'result', report }),
        onFailure: (failure) => setState({ at: 'failed', failure }),
      })
    } catch {
      if (!isStopped) setState({ at: 'failed', failure: 'trust' })
    }
  }

  function begin(): void {
    stop.current()
    setFiles([])
    setState({ at: 'start' })
  }

  // Files are added to an incomplete check; otherwise they start a new one.
  const isWaiting =
    state.at === 'result' &&
    state.report.groups.some(({ outcome }) => outcome === 'incomplete' || outcome === 'unsigned')
  const give = (given: InputFile[]) => void check(isWaiting ? [...files, ...given] : given)
  const isStart = state.at === 'start'
  const place = (
    <DropPlace
      size={isStart ? 'large' : 'small'}
      isAdding={isWaiting}
      isBusy={state.at === 'checking'}
      onFiles={give}
      onAgain={isStart || state.at === 'checking' ? null : begin}
    />
  )

  return (
    <div className={classes.page}>
      <Header />
      {pageConfig.isDemo && <DemoRibbon text={t('demo')} />}
      <main className={classes.main}>
        <div className={isStart ? classes.intro : classes.introSmall}>
          <h1>{t('title')}</h1>
          {isStart && <p className={classes.lead}>{t('lead')}</p>}
          {!isStart && place}
        </div>
        {isStart && place}
        {isStart && (
          <>
            <CodeForm given={codeInFragment()} onOpened={(opened) => setState({ at: 'held', opened })} />
            <WhatFits />
          </>
        )}
        {state.at === 'checking' && <Waiting progress={state.progress} onCancel={begin} />}
        {state.at === 'failed' && (
          <div className={classes.card} role="alert">
            <p>{t(`failure.${state.failure}`)}</p>
            <button type="button" className={classes.button} onClick={() => void check(files)}>
              {t('failure.retry')}
            </button>
          </div>
        )}
        <Suspense fallback={<p role="status">{t('wait.opening')}</p>}>
          {state.at === 'result' && (
            <ResultView
              key={state.report.at.getTime()}
              report={state.report}
              onRetry={() => void check(files)}
            />
          )}
          {state.at === 'held' && <HeldView opened={state.opened} />}
        </Suspense>
      </main>
    </div>
  )
}

function Header() {
  const { t } = useTexts('verify')
  return (
    <header className={classes.header}>
      <BrandLink href="/" name="Келісім" label={t('home')} isCompactOnPhone />
      <div className={classes.tools}>
        <LanguageChoice label={t('language')} />
        <a className={classes.enter} href="/api-user/autologin">
          {t('signIn')}
        </a>
      </div>
    </header>
  )
}

function WhatFits() {
  const { t } = useTexts('verify')
  const kinds = [
    { icon: <SignedIcon size={24} />, key: 'detached' },
    { icon: <FileIcon size={24} />, key: 'electronic' },
    { icon: <SignedIcon size={24} />, key: 'pdf' },
    { icon: <FileIcon size={24} />, key: 'xml' },
    { icon: <PrintIcon size={24} />, key: 'card' },
    { icon: <ArchiveIcon size={24} />, key: 'bundle' },
    { icon: <FileIcon size={24} />, key: 'record' },
  ] as const
  return (
    <section aria-labelledby="what">
      <h2 id="what" className={classes.sectionTitle}>
        {t('what.title')}
      </h2>
      <ul className={classes.kinds}>
        {kinds.map(({ icon, key }) => (
          <li key={key}>
            {icon}
            <b>{t(`what.${key}`)}</b>
            <span>{t(`what.${key}Text`)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Waiting({ progress, onCancel }: { progress: Progress | null; onCancel: () => void }) {
  const { t } = useTexts('verify')
  const words = progress ? t('wait.file', { name: progress.file }) : t('wait.reading')
  const part = progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : null
  return (
    <div className={classes.card}>
      <p role="status">{words}</p>
      <div className={classes.progress}>
        <progress aria-label={words} {...(part !== null && { value: part })} />
        <span aria-hidden="true">
          {part === null ? '' : t('wait.percent', { percent: Math.round(part * 100) })}
        </span>
      </div>
      <button type="button" className={classes.plain} onClick={onCancel}>
        {t('wait.cancel')}
      </button>
    </div>
  )
}
