import '@fontsource/golos-text/400.css'
import '@fontsource/golos-text/500.css'
import '@fontsource/golos-text/600.css'
import '@fontsource/golos-text/700.css'
import './ui/look/theme.css'
import '@mantine/core/styles.layer.css'
import { MantineProvider } from '@mantine/core'
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError, whenCalled } from './api/api.ts'
import { startTexts } from './i18n/language.ts'
import { styleNonce } from './api/page-config.ts'
import { createPages } from './pages.tsx'
import { reloadOnceOnMissingChunk } from './shell/layout/chunk-reload.ts'
import { endSession } from './shell/session/session-end.ts'
import { noticeNewBuild } from './shell/dialogs/update-dialog.tsx'
import { keepDroppedFilesOut } from './ui/browser/file-drop.ts'
import { showError } from './ui/dialogs/error-store.ts'
import { colorSchemeManager } from './ui/look/color-scheme.ts'
import { cssVariables, theme } from './ui/look/theme.ts'

setNonce(styleNonce)
reloadOnceOnMissingChunk()
keepDroppedFilesOut()
whenCalled({ sessionEnds: endSession, newBuildServed: noticeNewBuild })

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Refusals are final; only a lost connection or a busy server is retried.
      retry: (count, error) =>
        count < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
    },
  },
  // In the cache, not among the default options, because a mutation's own `onError` replaces the default one.
  mutationCache: new MutationCache({
    onError: (error, _input, _result, { meta }) => {
      if (error instanceof ApiError && !meta?.['showsErrors']) showError(error)
    },
  }),
})

await startTexts()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={client}>
        <RouterProvider router={createPages(client)} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
