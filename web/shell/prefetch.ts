/** When the browser has nothing to do, the pages a person opens next are fetched ahead (SPEC.md section 9: 2000 ms). */
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

const idleTimeout = 2000
const likely = ['/signingRequests/outgoings', '/documents/my', '/options/NotificationSettings']

export function usePrefetchAtIdle(): void {
  const router = useRouter()
  useEffect(() => {
    if (!('requestIdleCallback' in window)) return undefined
    const handle = window.requestIdleCallback(
      () => {
        for (const to of likely) void router.preloadRoute({ to })
      },
      { timeout: idleTimeout },
    )
    return () => window.cancelIdleCallback(handle)
  }, [router])
}
