/** Parses and prints rich text in workers that can be killed, and turns faults into refusals. */
import { availableParallelism } from 'node:os'
import { refuse } from '@kelisim/domain/errors.ts'
import { createPool, PoolError, type Pool } from '../workers/pool.ts'
import type { Done, Work } from './work-job.ts'

export type RichText = {
  /** The cleaned text as it is stored. */
  clean: (html: string) => Promise<string>
  /** The text as a PDF; refuses an incorrect variable unless it is only a preview. */
  print: (
    html: string,
    title: string,
    options: { mustBeFilled: boolean },
  ) => Promise<{ html: string; pdf: Buffer }>
  close: () => Promise<void>
}

export function openRichTextWorkers({ deadlineMs = 20_000, maxQueue = 50 } = {}): RichText {
  // Started with the first text, to save memory until then.
  let pool: Pool<Work, Done> | null = null
  const start = () =>
    createPool<Work, Done>({
      file: new URL('worker.ts', import.meta.url),
      workerData: null,
      size: Math.max(1, availableParallelism() - 1),
      maxQueue,
      deadlineMs,
      memory: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
      answer: () => Promise.reject(new Error('rich text asks nothing')),
    })
  const run = async (job: Work) => {
    const done = await finished((pool ??= start()), job)
    return 'problem' in done ? refused(done) : done
  }
  return {
    clean: async (html) => (await run({ task: 'clean', html })).html,
    async print(html, title, { mustBeFilled }) {
      const done = await run({ task: 'print', html, title, mustBeFilled })
      return { html: done.html, pdf: Buffer.from(done.pdf!) }
    },
    close: async () => pool?.close(),
  }
}

async function finished(pool: Pool<Work, Done>, job: Work): Promise<Done> {
  try {
    return await pool.run(job)
  } catch (error) {
    if (!(error instanceof PoolError)) throw error
    if (error.reason === 'full' || error.reason === 'closed') refuse('service-unavailable')
    // A text that exhausts the worker is too large.
    return { problem: 'too-large' }
  }
}

/** The refusal names at most this many. */
const mostNamed = 10

function refused(done: Extract<Done, { problem: string }>): never {
  switch (done.problem) {
    case 'empty':
      return refuse('rich-text-empty')
    case 'too-large':
      return refuse('rich-text-too-large')
    case 'unknown-signs':
      return refuse('rich-text-unknown-signs', { signs: done.signs.slice(0, mostNamed).join(' ') })
    case 'not-filled':
      return refuse('variables-not-filled', { names: done.names.slice(0, mostNamed).join(', ') })
  }
}
