import { useLayoutEffect } from 'react'

/** What the server drew before any script ran (server/http/site/skeleton.ts) goes in the moment that the page itself is shown. */
export function useSkeletonEnd(): void {
  useLayoutEffect(() => document.getElementById('shell-skeleton')?.remove(), [])
}
