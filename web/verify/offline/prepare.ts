/** Prepares a visit without a network: stores the page's files, whom this installation trusts, and its log keys. */
import { pages } from '@kelisim/domain/pages.ts'
import { ownBuild } from '../../api/page-config.ts'
import { serviceWorkerPath } from './paths.ts'

/** Runs when the browser is idle, so that a visitor who wants a verdict now does not wait for it. */
export function prepareOffline(): void {
  // During development the sources change, so they are not stored.
  if (ownBuild === 'dev' || !('serviceWorker' in navigator)) return
  const prepare = () => {
    void navigator.serviceWorker.register(serviceWorkerPath, { scope: pages.verify }).catch(() => {})
    void import('../checking/start-check.ts').then(({ remember }) => remember()).catch(() => {})
  }
  if ('requestIdleCallback' in window) requestIdleCallback(prepare)
}
