import type { Storage } from '../documents/storage/storage.ts'
import type { Http } from '../http/open.ts'
import type { RichText } from '../rich-text/rich-text.ts'
import type { SignatureChecks } from '../signatures/check.ts'
import { requestHandlers } from './acting/handlers.ts'
import { changeStreams, openChanges, type Changes } from './core/changes.ts'
import { holderHandlers } from './holder/handlers.ts'
import { keepJudging, openJudging, type Judging, type QueueStamping } from './judging/judging.ts'
import { phoneRoutes } from './phone/app-routes.ts'
import { mobileHandlers } from './phone/handlers.ts'
import { requestArchiveHandlers } from './reading/archive.ts'
import { requestReadingHandlers } from './reading/handlers.ts'
import { signedSetHandlers } from './reading/signed-set.ts'
import type { Papers } from './sending/sending.ts'
import { terminationHandlers } from './termination/handlers.ts'

type RequestsParts = Papers & {
  storage: Storage
  richText: RichText
  /** Undefined: digital signatures cannot be checked here, and nothing is signed. */
  checkSignature: SignatureChecks['check'] | undefined
  /** Undefined: no service gives timestamps. */
  queueStamping: QueueStamping | undefined
  /** The page of the demo's phone, if there is one. */
  phoneUrl: URL | null
}

export type Requests = { judging: Judging | undefined; changes: Changes }

/** Signing requests: sending, acting, judging signatures, lists and files, the phone, termination, holders of a code. */
export function openRequests(http: Http, parts: RequestsParts): Requests {
  const { app, serve, files, streams, database, clock, publicUrl } = http
  const { storage, richText, phoneUrl } = parts
  const judging = openJudgingIn(http, parts)
  requestHandlers(serve, { storage, judging, refuseUnprintable: parts.refuseUnprintable })
  requestReadingHandlers(serve, files, storage)
  requestArchiveHandlers(files, storage)
  signedSetHandlers(files, storage)
  holderHandlers(serve, files, { storage, publicUrl })
  terminationHandlers(serve, { storage, richText })
  mobileHandlers(serve, { publicUrl, isChecked: judging !== undefined, phoneUrl })
  if (judging) phoneRoutes(app, { database, storage, judging, publicUrl, clock })
  const changes = openChanges(database, (error) =>
    app.log.warn({ reason: error.message }, 'changes of requests are not heard for a moment'),
  )
  changeStreams(streams, changes)
  return { judging, changes }
}

/** Every process that listens judges signatures; one that only tests call judges when it is told to. */
function openJudgingIn({ app, database, clock }: Http, parts: RequestsParts): Judging | undefined {
  const { storage, checkSignature: check, queueStamping } = parts
  if (!check) return undefined
  const onError = (error: unknown) => app.log.warn({ err: error }, 'a signature could not be judged for now')
  const judging = openJudging({ database, storage, check, clock, queueStamping, onError })
  let kept: ReturnType<typeof keepJudging> | undefined
  app.addHook('onListen', async () => void (kept = keepJudging(judging, { onError })))
  app.addHook('onClose', () => kept?.stop())
  return judging
}
