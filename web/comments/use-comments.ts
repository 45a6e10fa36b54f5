/** The comments on the document of a request, and the open one: a place for a new comment, or a chosen thread. */
import { useState } from 'react'
import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import type { ApiError } from '../api/api.ts'
import { refresh } from '../api/refresh.ts'
import type { DocumentPlace, PlaceMark, Places } from '../documents/preview/places/place.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { RequestKey } from '../requests/shared/queries.ts'
import type { RequestView } from '../requests/shared/request-view.ts'
import { useLive } from '../shell/session/live.ts'
import { threadsQuery, type ThreadPage, type ThreadView } from './queries.ts'

export type Comments = {
  threads: readonly ThreadView[]
  openCount: number
  canWrite: ThreadPage['canWrite']
  /** Loads more threads; undefined: all are loaded. */
  more: (() => void) | undefined
  /** The place of the comment being written; null: none is being written. */
  draft: DocumentPlace | null
  setDraft: (place: DocumentPlace | null) => void
  /** The thread that was chosen at its mark or in the list. */
  chosen: string | null
  show: (id: string) => void
  refresh: () => Promise<void>
  /** The marks and callbacks for the preview of the document. */
  places: Places
}

/** A comment on the document as a whole. */
export const nowhere: DocumentPlace = { page: null, quote: '', area: null }

/** `onOpened` must show the comments if they are not beside the document. */
export function useComments(request: RequestView, requestKey: RequestKey, onOpened: () => void): Comments {
  const { t } = useTexts('comments')
  const client = useQueryClient()
  const options = threadsQuery(requestKey)
  const list = useInfiniteQuery<ThreadPage, ApiError, InfiniteData<ThreadPage>, readonly unknown[], number>(
    options,
  )
  const [draft, setDraft] = useState<DocumentPlace | null>(null)
  const [chosen, setChosen] = useState<Places['shown']>(null)
  // A shared comment changes the request and an internal one causes a notice; both arrive as live messages.
  useLive(requestKey, (_, isFirst) => {
    if (!isFirst) refresh(client, options.queryKey)
  })
  const threads = list.data?.pages.flatMap(({ items }) => items) ?? []
  const { openCount = 0, canWrite = { internal: false, shared: false } } = list.data?.pages[0] ?? {}
  const show = (id: string) => setChosen({ id })
  const markOf = (thread: ThreadView): PlaceMark[] => {
    const { id, page, area, isShared, revision, comments } = thread
    if (page === null || thread.resolved || revision !== request.revision) return []
    const [first] = comments
    const label = t(isShared ? 'mark.shared' : 'mark.internal', {
      name: first?.fullName ?? '',
      text: first?.text.slice(0, 80) ?? '',
    })
    return [{ id, page, area, label, tone: isShared ? 'all' : 'own' }]
  }
  return {
    threads,
    openCount,
    canWrite,
    more: list.hasNextPage ? () => void list.fetchNextPage() : undefined,
    draft,
    setDraft,
    chosen: chosen?.id ?? null,
    show,
    refresh: () => client.invalidateQueries({ queryKey: options.queryKey }),
    places: {
      marks: threads.flatMap(markOf),
      shown: chosen,
      onOpen: (id) => {
        show(id)
        onOpened()
      },
      ...((canWrite.internal || canWrite.shared) && {
        onPick: (place) => {
          setDraft(place)
          onOpened()
        },
      }),
    },
  }
}

export function isWritable({ canWrite }: Pick<Comments, 'canWrite'>): boolean {
  return canWrite.internal || canWrite.shared
}
