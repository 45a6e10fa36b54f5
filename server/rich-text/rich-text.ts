/** Reads and prints rich text in workers that can be killed, and says in our words what is wrong with it. */
import { availableParallelism } from 'node:os'
import { refuse } from '@kelisim/domain/errors.ts'
import { createPool, PoolError, type Pool } from '../workers/pool.ts'
import type { Done, Work } from './work-job.ts'

export type RichText = {
  /** The text as it is kept: nothing of it but what we know. */
  clean: (html: string) => Promise<string>
  /** The text as a PDF; refuses it while a variable has no right value, unless it is only looked at. */
  print: (
    html: string,
    title: string,
    options: { mustBeFilled: boolean },
  ) => Promise<{ html: string; pdf: Buffer }>
  close: () => Promise<void>
}

export function openRichTextWorkers({ deadlineMs = 20_000, maxQueue = 50 } = {}): RichText {
  // Begun with the first text: whoever only reads pays nothing for it.
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
    // A text that wears out its reader is more than anybody could sign.
    return { problem: 'too-large' }
  }
}

/** So many are named; who has more finds the rest when these are gone. */
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
