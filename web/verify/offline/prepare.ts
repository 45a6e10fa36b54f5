/** Prepares the page for a visit without a network: its files, whom this installation trusts, and the keys of its log. */
import { ownBuild } from '../../api/page-config.ts'
import { serviceWorkerPath } from './paths.ts'

/** In idle time: a visitor who only wants a verdict now waits for none of it. */
export function prepareOffline(): void {
  // Sources that change while one works on them are not kept.
  if (ownBuild === 'dev' || !('serviceWorker' in navigator)) return
  const prepare = () => {
    void navigator.serviceWorker.register(serviceWorkerPath, { scope: '/verify' }).catch(() => {})
    void import('../checking/start-check.ts').then(({ remember }) => remember()).catch(() => {})
  }
  if ('requestIdleCallback' in window) requestIdleCallback(prepare)
}
