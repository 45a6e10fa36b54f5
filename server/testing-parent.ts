/**
 * For tests, loaded before anything else (`node --import`): the process exits when its parent, which holds the other
 * end of its standard input, exits. Any data written there makes it save its compile cache for the next process,
 * because a process that is killed cannot do so at exit. Threads load this file too, but have no such input.
 */
import { flushCompileCache } from 'node:module'
import { isMainThread } from 'node:worker_threads'

if (isMainThread)
  process.stdin
    .once('data', () => flushCompileCache())
    .once('close', () => process.exit())
    .resume()
    .unref()
