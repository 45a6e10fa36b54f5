/**
 * One event stream for each tab, shared by all live parts of the page, because browsers limit the number of streams.
 * It is reopened when the subscriptions change, and closed while the tab is hidden.
 */
import { useEffect, useEffectEvent, useState } from 'react'
import { minute } from '@kelisim/domain/durations.ts'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import { watchPage } from '@kelisim/domain/notifications/contract.ts'
import type * as z from 'zod/mini'
import { queryString } from '../../api/api.ts'

export type Heard = z.output<typeof watchPage.result>

type Wish = {
  organizationId: string
  signingRequestId: string | undefined
  /** `isFirst`: the first message of its type on the stream, which usually repeats data that was just loaded. */
  hear: (message: Heard, isFirst: boolean) => void
  setLive: (isLive: boolean) => void
}

/** A refused stream is opened again after this time: the cause may be gone, such as other tabs or a restart. */
const reopenAfter = minute

const wishes = new Set<Wish>()
let line: { path: string; source: EventSource } | undefined
let isSettling = false

/** Settles once for all subscriptions that a page makes or ends in the same task. */
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
  // The page of a request, if one is open, decides which organisation and request the stream is for.
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
    // EventSource reconnects by itself unless the server refused the stream.
    if (source.readyState !== EventSource.CLOSED) return
    toAll(false)
    setTimeout(settle, reopenAfter)
  })
  return { path, source }
}

if (typeof document !== 'undefined') document.addEventListener('visibilitychange', settle)

/** False: no events are received, so the caller has to poll. */
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
