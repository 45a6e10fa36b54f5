/**
 * For tests, loaded before anything else (`node --import`): the process ends with whoever holds the other end of its
 * standard input. Its threads load this too, and have no such end.
 */
import { isMainThread } from 'node:worker_threads'

if (isMainThread)
  process.stdin
    .once('close', () => process.exit())
    .resume()
    .unref()
