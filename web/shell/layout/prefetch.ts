/** When the browser has nothing to do, the pages a person opens next are fetched ahead (SPEC.md section 9: 2000 ms). */
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { whenIdle } from '../../ui/browser/when-idle.ts'

const likely = ['/signingRequests/outgoings', '/documents/my', '/options/NotificationSettings']

export function usePrefetchAtIdle(): void {
  const router = useRouter()
  useEffect(
    () =>
      whenIdle(() => {
        for (const to of likely) void router.preloadRoute({ to })
      }),
    [router],
  )
}
