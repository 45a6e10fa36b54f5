/**
 * One line a tab for everything that is live on its page: browsers have few of them. Whoever wants to hear says so; the line
 * is opened anew when what is wanted changes, and a page that nobody looks at holds none.
 */
import { useEffect, useEffectEvent, useState } from 'react'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import { watchPage } from '@kelisim/domain/notifications/contract.ts'
import type * as z from 'zod/mini'
import { queryString } from '../../api/api.ts'

export type Heard = z.output<typeof watchPage.result>

type Wish = {
  organizationId: string
  signingRequestId: string | undefined
  /** The first word of its kind is said when the line opens: usually it is what was just read. */
  hear: (message: Heard, isFirst: boolean) => void
  setLive: (isLive: boolean) => void
}

const wishes = new Set<Wish>()
let line: { path: string; source: EventSource } | undefined
let isSettling = false

/** After all of a page has said what it wants. */
function settleSoon(): void {
  if (isSettling) return
  isSettling = true
  queueMicrotask(() => {
    isSettling = false
    settle()
  })
}

function settle(): void {
  const path = wantedPath()
  if (line?.path === path && line?.source.readyState !== EventSource.CLOSED) return
  line?.source.close()
  line = path === undefined ? undefined : open(path)
}

function wantedPath(): string | undefined {
  const all = [...wishes]
  // The page of a request says in whose name it is looked at.
  const wish = all.find(({ signingRequestId }) => signingRequestId !== undefined) ?? all[0]
  if (!wish || document.hidden) return undefined
  const { path, rest } = fillPath(watchPage.path, {
    organizationId: wish.organizationId,
    signingRequestId: wish.signingRequestId,
  })
  return path + queryString(rest)
}

function open(path: string): { path: string; source: EventSource } {
  const source = new EventSource(path)
  const heard = new Set<string>()
  const toAll = (isLive: boolean) => {
    for (const wish of wishes) wish.setLive(isLive)
  }
  source.addEventListener('open', () => {
    heard.clear()
    toAll(true)
  })
  source.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Heard
    const isFirst = !heard.has(message.type)
    heard.add(message.type)
    for (const { hear } of wishes) hear(message, isFirst)
  })
  source.addEventListener('error', () => {
    // It tries again by itself unless it was turned away.
    if (source.readyState === EventSource.CLOSED) toAll(false)
  })
  return { path, source }
}

if (typeof document !== 'undefined') document.addEventListener('visibilitychange', settle)

/** False: nothing is heard, and whoever wants to know has to ask. */
export function useLive(
  { organizationId, signingRequestId }: { organizationId: string; signingRequestId?: string },
  onHeard: (message: Heard, isFirst: boolean) => void,
  { isEnabled = true } = {},
): boolean {
  const [isLive, setLive] = useState(true)
  const hear = useEffectEvent(onHeard)
  useEffect(() => {
    if (!isEnabled) return undefined
    const wish: Wish = {
      organizationId,
      signingRequestId,
      setLive,
      hear: (message, isFirst) => hear(message, isFirst),
    }
    wishes.add(wish)
    settleSoon()
    return () => {
      wishes.delete(wish)
      settleSoon()
    }
  }, [organizationId, signingRequestId, isEnabled])
  return isLive
}
