/** The page of quick sending: follows a sent document (`#…`), stops e-mails (`/quick/stop/…`), or starts sending. */
import '@fontsource/golos-text/400.css'
import '@fontsource/golos-text/600.css'
import '@fontsource/golos-text/700.css'
import '../../ui/look/theme.css'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { startTexts } from '../../i18n/language.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { reloadOnceOnMissingChunk } from '../../shell/layout/chunk-reload.ts'
import { Mark } from '../../ui/look/pictures.tsx'
import { Follow } from './follow.tsx'
import classes from './quick.module.css'
import { QuickSend } from './quick-send.tsx'
import { Stop } from './stop.tsx'

reloadOnceOnMissingChunk()
await startTexts(['landing-quick-send', 'errors', 'signatures'])

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QuickPage />
  </StrictMode>,
)

function QuickPage() {
  const { t } = useTexts('landing-quick-send')
  const stop = /^\/quick\/stop\/([\w-]+)\/?$/i.exec(window.location.pathname)?.[1]
  const [follow, setFollow] = useState(() => secretIn(window.location.hash))
  useEffect(() => {
    const change = () => setFollow(secretIn(window.location.hash))
    window.addEventListener('hashchange', change)
    return () => window.removeEventListener('hashchange', change)
  }, [])
  useEffect(() => {
    document.title = `${t(stop ? 'stop.title' : follow ? 'follow.title' : 'title')} — Келісім`
  })
  return (
    <>
      <header className={classes.header}>
        <a href="/">
          <Mark />
          Келісім
        </a>
      </header>
      <main className={classes.main}>
        {stop ? (
          <Stop token={stop} />
        ) : follow ? (
          <Follow key={follow} follow={follow} />
        ) : (
          <>
            <h1>{t('title')}</h1>
            <p>{t('lead')}</p>
            <QuickSend />
          </>
        )}
      </main>
    </>
  )
}

function secretIn(hash: string): string | null {
  return /^#([\w-]{43})$/.exec(hash)?.[1] ?? null
}
