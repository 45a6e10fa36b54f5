/** Parses and prints rich text in processes that can be killed, and turns faults into refusals. */
import { availableParallelism } from 'node:os'
import { second } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { Variable } from '@kelisim/domain/rich-text/rich-text.ts'
import { refuseIfBusy } from '../workers/busy.ts'
import { createPool, PoolError, type Pool } from '../workers/pool.ts'
import type { Claimant } from '../workers/turns.ts'
import type { Done, RichTextTask } from './work-job.ts'

export type RichText = {
  /** The cleaned text as it is stored. */
  clean: (html: string, claimant: Claimant) => Promise<string>
  /** The text as a PDF; refuses an incorrect variable unless it is only a preview. */
  print: (
    html: string,
    title: string,
    options: { mustBeFilled: boolean; claimant: Claimant; values?: Record<string, string> },
  ) => Promise<{ html: string; pdf: Buffer }>
  /** The variables of a text, each once. */
  variables: (html: string, claimant: Claimant) => Promise<Variable[]>
  close: () => Promise<void>
}

export function openRichTextWorkers({ deadlineMs = 10 * second, maxQueue = 50 } = {}): RichText {
  // Started with the first text, to save memory until then.
  let pool: Pool<RichTextTask, Done> | null = null
  const start = () =>
    createPool<RichTextTask, Done>({
      file: new URL('worker.ts', import.meta.url),
      setup: null,
      seats: Math.max(4, availableParallelism()),
      maxQueue,
      maxOwnQueue: 10,
      deadlineMs,
      memory: { heapMb: 384, outsideMb: 256 },
    })
  const run = async (job: RichTextTask, claimant: Claimant) => {
    const done = await finished((pool ??= start()), job, claimant)
    return 'problem' in done ? refused(done) : done
  }
  return {
    clean: async (html, claimant) => (await run({ task: 'clean', html }, claimant)).html,
    variables: async (html, claimant) => (await run({ task: 'clean', html }, claimant)).variables,
    async print(html, title, { mustBeFilled, claimant, values }) {
      const job = { task: 'print', html, title, mustBeFilled, ...(values && { values }) } as const
      const done = await run(job, claimant)
      return { html: done.html, pdf: Buffer.from(done.pdf!) }
    },
    close: async () => pool?.close(),
  }
}

async function finished(
  pool: Pool<RichTextTask, Done>,
  job: RichTextTask,
  claimant: Claimant,
): Promise<Done> {
  try {
    return await pool.run(job, claimant)
  } catch (error) {
    if (!(error instanceof PoolError)) throw error
    refuseIfBusy(error)
    // A text that exhausts the worker is too large.
    return { problem: 'too-large' }
  }
}

/** How many variables or characters a refusal names at most. */
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
