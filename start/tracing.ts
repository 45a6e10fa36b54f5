import type { Logger } from 'pino'
import type { Config } from '@kelisim/server/config.ts'
import { collectSpansIn } from '@kelisim/server/tracing/tracing.ts'

/** Traces, where a collector is configured; otherwise the code that sends them is not even loaded. */
export async function openTracing(
  { tracing }: Config,
  version: string,
  log: Logger,
): Promise<{ stop: () => Promise<void> }> {
  if (!tracing) return { stop: async () => {} }
  const { startExport } = await import('@kelisim/server/tracing/export.ts')
  const sending = startExport(tracing, version, (problem) => log.warn(problem, 'traces could not be sent'))
  collectSpansIn(sending)
  return sending
}
