/**
 * Counts and reports the failures of a storage, wherever it is used. It counts as failing until a file was stored
 * again, or until a trial file could be written.
 */
import { Readable } from 'node:stream'
import { StorageError } from './storage-error.ts'
import type { BareStorage, Storage } from './storage.ts'

export type OnStorageFailure = (error: StorageError) => void

/** More than the space that is left on a disk reported as full. */
const trialSize = 1024 * 1024

export function watched(storage: BareStorage, onFailure: OnStorageFailure = () => {}): Storage {
  let count = 0
  let isFailing = false
  let isTrying = false

  async function watch<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (error instanceof StorageError) {
        count++
        isFailing = true
        onFailure(error)
      }
      throw error
    }
  }

  async function check(): Promise<void> {
    const trial = await storage.receive(Readable.from([Buffer.alloc(trialSize)]), trialSize)
    try {
      await trial.onDisk
    } finally {
      await trial.discard()
    }
    // Whether the file exists does not matter, only that the storage responds.
    await storage.exists('health/00/00000000-0000-0000-0000-000000000000')
    isFailing = false
  }

  /** Writes a trial file, because nobody may store anything for hours after the cause was removed. */
  async function tryAgain(): Promise<void> {
    if (isTrying) return
    isTrying = true
    await check().catch(() => {}) // it was reported when it began to fail
    isTrying = false
  }

  return {
    ...storage,
    receive: (stream, limit, options) => watch(storage.receive(stream, limit, options)),
    async keep(key, received) {
      await watch(storage.keep(key, received))
      isFailing = false
    },
    borrow: (key) => watch(storage.borrow(key)),
    exists: (key) => watch(storage.exists(key)),
    remove: (key) => watch(storage.remove(key)),
    check,
    failures() {
      if (isFailing) void tryAgain()
      return { count, isFailing }
    },
  }
}
