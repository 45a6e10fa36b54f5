/**
 * For tests, loaded before anything else (`node --import`): the process ends with whoever holds the other end of its
 * standard input. What is written there asks it to keep what it has compiled for the next process: whoever is killed
 * could not do so at its end. Its threads load this too, and have no such end.
 */
import { flushCompileCache } from 'node:module'
import { isMainThread } from 'node:worker_threads'

if (isMainThread)
  process.stdin
    .once('data', () => flushCompileCache())
    .once('close', () => process.exit())
    .resume()
    .unref()
