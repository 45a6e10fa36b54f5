/** The public check page; an entry of its own, so that its visitors do not load the whole application. */
import '@fontsource/golos-text/400.css'
import '@fontsource/golos-text/600.css'
import '@fontsource/golos-text/700.css'
import '../ui/look/theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startTexts } from '../i18n/language.ts'
import { reloadOnceOnMissingChunk } from '../shell/layout/chunk-reload.ts'
import { prepareOffline } from './offline/prepare.ts'
import { VerifyPage } from './verify-page.tsx'

reloadOnceOnMissingChunk()
await startTexts(['verify'])

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <VerifyPage />
  </StrictMode>,
)

prepareOffline()
