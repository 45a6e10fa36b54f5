/**
 * The shape of all texts, taken from the Russian ones: a key that does not exist does not compile. One file per slice
 * and language; a test compares the three languages.
 */
import type bulk from './ru/bulk.json'
import type campaigns from './ru/campaigns.json'
import type classifiers from './ru/classifiers.json'
import type comments from './ru/comments.json'
import type comparison from './ru/comparison.json'
import type common from './ru/common.json'
import type documents from './ru/documents.json'
import type errors from './ru/errors.json'
import type help from './ru/help.json'
import type identity from './ru/identity.json'
import type integration from './ru/integration.json'
import type integrationReference from './ru/integration-reference.json'
import type landing from './ru/landing.json'
import type landingCaptcha from './ru/landing-captcha.json'
import type landingQuickSend from './ru/landing-quick-send.json'
import type law from './ru/law.json'
import type mail from './ru/mail.json'
import type memberImport from './ru/member-import.json'
import type notifications from './ru/notifications.json'
import type operator from './ru/operator.json'
import type options from './ru/options.json'
import type outputs from './ru/outputs.json'
import type outputsBundle from './ru/outputs-bundle.json'
import type outputsPrintable from './ru/outputs-printable.json'
import type outputsReport from './ru/outputs-report.json'
import type points from './ru/points.json'
import type portal from './ru/portal.json'
import type powersOfAttorney from './ru/powers-of-attorney.json'
import type registers from './ru/registers.json'
import type requests from './ru/requests.json'
import type requestsPackages from './ru/requests-packages.json'
import type requestsLists from './ru/requests-lists.json'
import type requestsPhone from './ru/requests-phone.json'
import type requestsSending from './ru/requests-sending.json'
import type requestsTermination from './ru/requests-termination.json'
import type retention from './ru/retention.json'
import type richText from './ru/rich-text.json'
import type routes from './ru/routes.json'
import type search from './ru/search.json'
import type shell from './ru/shell.json'
import type signIn from './ru/sign-in.json'
import type signatures from './ru/signatures.json'
import type standIns from './ru/stand-ins.json'
import type insight from './ru/insight.json'
import type today from './ru/today.json'
import type transparency from './ru/transparency.json'
import type verify from './ru/verify.json'

export type Resources = {
  bulk: typeof bulk
  campaigns: typeof campaigns
  classifiers: typeof classifiers
  comments: typeof comments
  comparison: typeof comparison
  common: typeof common
  documents: typeof documents
  errors: typeof errors
  help: typeof help
  identity: typeof identity
  integration: typeof integration
  'integration-reference': typeof integrationReference
  landing: typeof landing
  'landing-captcha': typeof landingCaptcha
  'landing-quick-send': typeof landingQuickSend
  law: typeof law
  mail: typeof mail
  'member-import': typeof memberImport
  notifications: typeof notifications
  operator: typeof operator
  options: typeof options
  outputs: typeof outputs
  'outputs-bundle': typeof outputsBundle
  'outputs-printable': typeof outputsPrintable
  'outputs-report': typeof outputsReport
  points: typeof points
  portal: typeof portal
  'powers-of-attorney': typeof powersOfAttorney
  registers: typeof registers
  requests: typeof requests
  'requests-lists': typeof requestsLists
  'requests-packages': typeof requestsPackages
  'requests-phone': typeof requestsPhone
  'requests-sending': typeof requestsSending
  'requests-termination': typeof requestsTermination
  retention: typeof retention
  'rich-text': typeof richText
  routes: typeof routes
  search: typeof search
  shell: typeof shell
  'sign-in': typeof signIn
  signatures: typeof signatures
  'stand-ins': typeof standIns
  insight: typeof insight
  today: typeof today
  transparency: typeof transparency
  verify: typeof verify
}
export type Namespace = keyof Resources
