import type { Http } from '../http/open.ts'
import type { Revisions } from '../requests/signed-pdf/revisions.ts'
import { longTermHandlers, type LongTermDependencies } from './archive/long-term.ts'
import type { QueueOutput } from './core/asking.ts'
import { electronicHandlers } from './electronic.ts'
import { outputHandlers } from './handlers.ts'

type OutputsParts = LongTermDependencies & { revisions: Revisions; queueOutput: QueueOutput }

/** Outputs of requests: printable and electronic document, report, evidence bundle. */
export function openOutputs({ serve, files }: Http, parts: OutputsParts): void {
  electronicHandlers(files, parts)
  outputHandlers(serve, files, parts)
  longTermHandlers(serve, files, parts)
}
