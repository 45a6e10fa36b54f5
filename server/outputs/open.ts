import type { Storage } from '../documents/storage/storage.ts'
import type { Http } from '../http/open.ts'
import type { QueueOutput } from './core/asking.ts'
import { electronicHandlers } from './electronic.ts'
import { outputHandlers } from './handlers.ts'

type OutputsParts = { storage: Storage; queueOutput: QueueOutput }

/** Files made of requests: printable and electronic document, report, evidence bundle. */
export function openOutputs({ serve, files }: Http, { storage, queueOutput }: OutputsParts): void {
  electronicHandlers(files, storage)
  outputHandlers(serve, files, { storage, queueOutput })
}
