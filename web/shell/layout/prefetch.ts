/**
 * When the browser is idle, the code of the pages that people usually open next is fetched
 * (docs/product/interface.md#n-11). Their data is fetched only when the pointer rests on a link to them.
 */
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { pages } from '@kelisim/domain/pages.ts'
import { whenIdle } from '../../ui/browser/when-idle.ts'

const likely = [pages.outgoingRequests, pages.documents, pages.notificationSettings]

export function usePrefetchAtIdle(): void {
  const router = useRouter()
  useEffect(
    () =>
      whenIdle(() => {
        for (const path of likely) {
          const [routes] = router.getMatchedRoutes(path)
          for (const route of routes) router.loadRouteChunk(route)?.catch(() => {}) // loaded when it is opened
        }
      }),
    [router],
  )
}
