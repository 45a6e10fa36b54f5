import { describe, expect, test } from 'vitest'
import { canRetry, failuresFirst } from './uploads.ts'
import type { UploadState } from './use-uploads.ts'

const failed = (alias: string) => ({
  name: alias,
  unfit: null,
  state: { kind: 'failed', problem: { alias } } as UploadState,
})
const unfit = { name: 'unfit', unfit: { alias: 'file-empty' }, state: { kind: 'waiting' } as UploadState }
const waiting = { name: 'waiting', unfit: null, state: { kind: 'waiting' } as UploadState }
const cancelled = { name: 'cancelled', unfit: null, state: { kind: 'cancelled' } as UploadState }

describe('the list of uploads', () => {
  test('shows failures first, otherwise in the order of choosing', () => {
    const items = [waiting, failed('file-broken'), cancelled, unfit]
    expect(failuresFirst(items).map(({ name }) => name)).toEqual([
      'file-broken',
      'unfit',
      'waiting',
      'cancelled',
    ])
  })

  test('offers to try again only if that can help', () => {
    const helped = [
      'connection-lost',
      'bad-gateway',
      'files-queue-full',
      'file-storage-error',
      'upload-too-slow',
    ]
    for (const alias of helped) expect(canRetry(failed(alias)), alias).toBe(true)
    const final = [
      'file-format-not-supported',
      'file-too-large',
      'file-broken',
      'only-pdf-allowed',
      'file-empty',
    ]
    for (const alias of final) expect(canRetry(failed(alias)), alias).toBe(false)
    expect([canRetry(cancelled), canRetry(unfit), canRetry(waiting)]).toEqual([true, false, false])
  })
})
