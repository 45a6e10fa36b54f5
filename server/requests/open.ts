import type { Storage } from '../documents/storage/storage.ts'
import type { Archive } from '../documents/upload.ts'
import type { Http } from '../http/open.ts'
import type { RichText } from '../rich-text/rich-text.ts'
import type { SignatureChecks } from '../signatures/check.ts'
import { actingHandlers } from './acting/handlers.ts'
import { openingHandlers } from './acting/openings.ts'
import { changeStreams, openChanges, type Changes } from './core/changes.ts'
import type { SignedLinks } from '../mail/signed-links.ts'
import type { QueueMail } from '../mail/outbox.ts'
import { copyHandlers } from './holder/copies.ts'
import { entryHandlers } from './holder/entry-handlers.ts'
import { holderHandlers } from './holder/handlers.ts'
import { startJudging, openJudging, type Judging, type QueueStamping } from './judging/judging.ts'
import { phoneRoutes } from './phone/app-routes.ts'
import { mobileHandlers } from './phone/handlers.ts'
import { requestArchiveHandlers } from './reading/archive.ts'
import { inboxHandlers } from './reading/inbox.ts'
import { correctingHandlers } from './correcting/handlers.ts'
import { stepHandlers } from './correcting/step-handlers.ts'
import { packageHandlers } from './packages/handlers.ts'
import { proposingHandlers } from './proposing/handlers.ts'
import { requestReadingHandlers } from './reading/handlers.ts'
import { signedSetHandlers } from './reading/signed-set.ts'
import { preparingHandlers } from './signed-pdf/handlers.ts'
import type { Revisions } from './signed-pdf/revisions.ts'
import { sendingAgainHandlers } from './sending/again.ts'
import { sendingHandlers } from './sending/handlers.ts'
import type { CountPages } from './sending/places.ts'
import type { SendingDependencies } from './sending/sendable.ts'
import { terminationHandlers } from './termination/handlers.ts'

type RequestsParts = SendingDependencies & {
  storage: Storage
  /** Where proposed files are checked and stored. */
  archive: Archive
  revisions: Revisions
  countPages: CountPages
  richText: RichText
  /** Undefined: digital signatures cannot be checked here, and nothing is signed. */
  checkSignature: SignatureChecks['check'] | undefined
  /** Undefined: no service gives timestamps. */
  queueStamping: QueueStamping | undefined
  /** How long somebody waits for the first check of their signature; by default a fixed time. */
  verdictTimeout: (() => Promise<void>) | undefined
  signedLinks: () => Promise<SignedLinks>
  queueMail: QueueMail
  /** The page of the demo's phone, if there is one. */
  phoneUrl: URL | null
}

export type Requests = { judging: Judging | undefined; changes: Changes }

/** Signing requests: sending, acting, judging signatures, lists and files, the phone, termination, holders of a code. */
export function openRequests(http: Http, parts: RequestsParts): Requests {
  const { app, serve, files, streams, database, clock, publicUrl } = http
  const { storage, richText, phoneUrl } = parts
  const judging = openJudgingOf(http, parts)
  const { refuseUnprintable, refuseUnsignable, revisions, countPages } = parts
  sendingHandlers(serve, { storage, countPages, refuseUnprintable, refuseUnsignable })
  actingHandlers(serve, { storage, judging, revisions })
  openingHandlers(serve)
  preparingHandlers(serve, files, { storage, revisions })
  sendingAgainHandlers(serve)
  correctingHandlers(serve, files, { storage, refuseUnprintable, refuseUnsignable })
  stepHandlers(serve)
  packageHandlers(serve, { storage, judging, refuseUnprintable, refuseUnsignable })
  proposingHandlers(serve, files, parts.archive)
  requestReadingHandlers(serve, files, storage)
  inboxHandlers(serve)
  requestArchiveHandlers(files, storage)
  signedSetHandlers(files, storage)
  holderHandlers(serve, files, { storage, publicUrl })
  copyHandlers(serve, { ...parts, publicUrl })
  entryHandlers(serve, parts)
  terminationHandlers(serve, { storage, richText })
  mobileHandlers(serve, { publicUrl, isChecked: judging !== undefined, phoneUrl })
  if (judging) phoneRoutes(app, { database, storage, judging, publicUrl, clock })
  const changes = openChanges(database, (error) =>
    app.log.warn({ reason: error.message }, 'listening for changes of requests was interrupted'),
  )
  changeStreams(streams, changes)
  return { judging, changes }
}

/** Signatures are judged in the background once the server listens; tests that only inject calls judge explicitly. */
function openJudgingOf({ app, database, clock }: Http, parts: RequestsParts): Judging | undefined {
  const { storage, checkSignature: check, queueStamping, verdictTimeout } = parts
  if (!check) return undefined
  const onError = (error: unknown) => app.log.warn({ err: error }, 'a signature could not be judged for now')
  const judging = openJudging({
    database,
    storage,
    check,
    clock,
    queueStamping,
    onError,
    onPostponed: (postponed) => app.log.warn(postponed, 'a signature is checked again later'),
    verdictTimeout,
  })
  let loop: ReturnType<typeof startJudging> | undefined
  app.addHook('onListen', async () => void (loop = startJudging(judging, { onError })))
  app.addHook('onClose', () => loop?.stop())
  return judging
}
