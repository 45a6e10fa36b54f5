/** Uploads a few files at once; each has its progress and can be cancelled and retried. */
import { useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { getDocuments, uploadDocument } from '@kelisim/domain/documents/contract.ts'
import {
  acceptedFormats,
  type UploadOptions,
  uploadFormats,
  formatNames,
  formatOfName,
  inMegabytes,
  sizeLimits,
} from '@kelisim/domain/documents/formats.ts'
import { ApiError } from '../api/api.ts'
import { sendFile } from '../api/file-api.ts'
import type { DocumentView } from './shared/document-acts.ts'

export type Problem = { alias: string; parameters?: Readonly<Record<string, unknown>> }

export type UploadState =
  | { kind: 'waiting' }
  | { kind: 'queued' }
  | { kind: 'sending'; sent: number }
  | { kind: 'done'; document: DocumentView }
  | { kind: 'cancelled' }
  | { kind: 'failed'; problem: Problem }

export type UploadItem = {
  /** Also the id of the new document, so that a retry after a lost response does not create a second one. */
  id: string
  file: File
  /** Why the file cannot be uploaded; checked before anything is sent. */
  unfit: Problem | null
  state: UploadState
}

export type About = { description: string; visibilityScope: 1 | 2 }

/** More uploads at once would only share the same bandwidth. */
const atOnce = 3

export function useUploads(organizationId: string, options: UploadOptions) {
  const client = useQueryClient()
  const [items, setItems] = useState<UploadItem[]>([])
  // Refs, because uploads continue between renders of the dialog.
  const running = useRef(new Map<string, AbortController>())
  const queue = useRef<{ item: UploadItem; about: About }[]>([])

  const setState = (id: string, state: UploadState) =>
    setItems((before) => before.map((item) => (item.id === id ? { ...item, state } : item)))

  function proceed(): void {
    const task = running.current.size < atOnce ? queue.current.shift() : undefined
    if (!task) return
    const { id } = task.item
    const stop = new AbortController()
    running.current.set(id, stop)
    setState(id, { kind: 'sending', sent: 0 })
    void send(task.item, task.about, stop.signal).then((state) => {
      running.current.delete(id)
      setState(id, state)
      if (state.kind === 'done') void client.invalidateQueries({ queryKey: [getDocuments.path] })
      proceed()
    })
    proceed()
  }

  async function send({ id, file }: UploadItem, about: About, signal: AbortSignal): Promise<UploadState> {
    try {
      const input = { organizationId, documentId: id, name: file.name, ...about }
      const onProgress = (sent: number) => setState(id, { kind: 'sending', sent })
      return { kind: 'done', document: await sendFile(uploadDocument, input, file, { signal, onProgress }) }
    } catch (error) {
      if (signal.aborted) return { kind: 'cancelled' }
      if (!(error instanceof ApiError)) throw error
      return { kind: 'failed', problem: { alias: error.alias, parameters: error.parameters } }
    }
  }

  function enqueue(chosen: UploadItem[], about: About): void {
    for (const item of chosen) {
      setState(item.id, { kind: 'queued' })
      queue.current.push({ item, about })
    }
    proceed()
  }

  const isToSend = ({ unfit, state }: UploadItem) => unfit === null && state.kind === 'waiting'
  return {
    items,
    add: (files: Iterable<File>) =>
      setItems((before) => [
        ...before,
        ...Array.from(files, (file): UploadItem => {
          const unfit = whyUnfit(file, options)
          return { id: crypto.randomUUID(), file, unfit, state: { kind: 'waiting' } }
        }),
      ]),
    remove: (id: string) => setItems((before) => before.filter((item) => item.id !== id)),
    start: (about: About) => enqueue(items.filter(isToSend), about),
    retry: (item: UploadItem, about: About) => enqueue([item], about),
    cancel(id: string) {
      queue.current = queue.current.filter(({ item }) => item.id !== id)
      if (running.current.has(id)) running.current.get(id)!.abort()
      else setState(id, { kind: 'cancelled' })
    },
    cancelAll() {
      queue.current = []
      for (const stop of running.current.values()) stop.abort()
    },
    clear: () => setItems([]),
    toSend: items.filter(isToSend).length,
    isRunning: items.some(({ state }) => state.kind === 'sending' || state.kind === 'queued'),
    done: items.filter(({ state }) => state.kind === 'done').length,
  }
}

export type Uploads = ReturnType<typeof useUploads>

/** Checks that need no content of the file; the server checks the rest. */
export function whyUnfit(file: File, options: UploadOptions): Problem | null {
  const accepted = acceptedFormats(options)
  const format = formatOfName(file.name, accepted)
  if (format === null) {
    return options.documentsUploadPdfOnly && formatOfName(file.name, uploadFormats)
      ? { alias: 'only-pdf-allowed' }
      : { alias: 'file-format-not-supported', parameters: { formats: formatNames(accepted) } }
  }
  if (file.size === 0) return { alias: 'file-empty' }
  const limit = sizeLimits[format]
  return file.size > limit ? { alias: 'file-too-large', parameters: { limit: inMegabytes(limit) } } : null
}
