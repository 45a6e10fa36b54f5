import { useLayoutEffect } from 'react'

/**
 * Removes the skeleton that the server drew (server/http/site/skeleton.ts) at the moment the page itself is shown.
 */
export function useSkeletonEnd(): void {
  useLayoutEffect(() => document.getElementById('shell-skeleton')?.remove(), [])
}
