import type { Storage } from '../documents/storage/storage.ts'
import type { Http } from '../http/open.ts'
import type { Revisions } from '../requests/signed-pdf/revisions.ts'
import type { QueueOutput } from './core/asking.ts'
import { electronicHandlers } from './electronic.ts'
import { outputHandlers } from './handlers.ts'

type OutputsParts = { storage: Storage; revisions: Revisions; queueOutput: QueueOutput }

/** Files made of requests: printable and electronic document, report, evidence bundle. */
export function openOutputs({ serve, files }: Http, { storage, revisions, queueOutput }: OutputsParts): void {
  electronicHandlers(files, { storage, revisions })
  outputHandlers(serve, files, { storage, queueOutput })
}
