import type { Archive } from '../documents/upload.ts'
import type { Http } from '../http/open.ts'
import type { Signer } from '../http/site/site.ts'
import type { QueueMail } from '../mail/outbox.ts'
import type { SignedLinks } from '../mail/signed-links.ts'
import type { RefuseUnprintable } from '../requests/sending/sendable.ts'
import type { ContractorDirectory } from '../points/contractors.ts'
import type { Judging } from '../requests/judging/judging.ts'
import type { SignatureChecks } from '../signatures/check.ts'
import { captchaHandlers, openCaptcha } from './captcha.ts'
import { feedbackHandlers } from './feedback.ts'
import { trackingHandlers } from './tracking.ts'
import { quickSendPhoneHandlers, quickSendPhoneRoutes } from './quick-send-phone.ts'
import { quickSendHandlers } from './quick-send.ts'
import { openSecrets } from './transactions.ts'

type LandingParts = {
  signedLinks: () => Promise<SignedLinks>
  archive: Archive
  refuseUnprintable: RefuseUnprintable
  queueMail: QueueMail
  directory: ContractorDirectory | undefined
  signer: Signer | undefined
  /** Undefined: signatures cannot be checked here, and nothing is sent without an account. */
  checkSignature: SignatureChecks['check'] | undefined
  judging: Judging | undefined
  supportEmail: string
  /** The BIN of the operator, which the national mobile app shows to whoever signs. */
  operatorBin: string
}

/** What the landing offers to visitors: feedback, and sending a document without an account. */
export function openLanding(http: Http, parts: LandingParts): void {
  const { app, serve, files, database, clock, publicUrl } = http
  const { queueMail, signedLinks, refuseUnprintable, directory, signer, judging, checkSignature } = parts
  const { storage, checks } = parts.archive
  const captcha = openCaptcha(database, clock)
  captchaHandlers(serve, captcha)
  feedbackHandlers(serve, { captcha, queueMail, supportEmail: parts.supportEmail })
  const signing = checkSignature && judging && { check: checkSignature, judging }
  const quickSend = {
    database,
    storage,
    checks,
    captcha,
    publicUrl,
    clock,
    signedLinks,
    refuseUnprintable,
    queueMail,
    directory,
    signer,
    signing,
    secrets: openSecrets(database, clock),
  }
  quickSendHandlers(serve, files, quickSend)
  const phoneUrl = signer?.phoneUrl ?? null
  quickSendPhoneHandlers(serve, { publicUrl, phoneUrl, isChecked: signing !== undefined })
  if (signing) quickSendPhoneRoutes(app, { ...quickSend, ...signing }, parts.operatorBin)
  trackingHandlers(serve, files, { storage, publicUrl, signedLinks })
}
