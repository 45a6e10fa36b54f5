/**
 * The shape of all texts, taken from the Russian ones: a key that does not exist does not compile.
 * One file a slice and language; a test holds the three languages against each other.
 */
import type bundle from './ru/bundle.json'
import type captcha from './ru/captcha.json'
import type classifiers from './ru/classifiers.json'
import type common from './ru/common.json'
import type documents from './ru/documents.json'
import type errors from './ru/errors.json'
import type help from './ru/help.json'
import type identity from './ru/identity.json'
import type landing from './ru/landing.json'
import type lists from './ru/lists.json'
import type mail from './ru/mail.json'
import type mobile from './ru/mobile.json'
import type notifications from './ru/notifications.json'
import type operator from './ru/operator.json'
import type options from './ru/options.json'
import type outputs from './ru/outputs.json'
import type points from './ru/points.json'
import type portal from './ru/portal.json'
import type quickSend from './ru/quick-send.json'
import type report from './ru/report.json'
import type printable from './ru/printable.json'
import type requests from './ru/requests.json'
import type richText from './ru/rich-text.json'
import type routes from './ru/routes.json'
import type sending from './ru/sending.json'
import type shell from './ru/shell.json'
import type signatures from './ru/signatures.json'
import type signIn from './ru/sign-in.json'
import type standIns from './ru/stand-ins.json'
import type termination from './ru/termination.json'
import type verify from './ru/verify.json'

export type Resources = {
  bundle: typeof bundle
  captcha: typeof captcha
  classifiers: typeof classifiers
  common: typeof common
  documents: typeof documents
  errors: typeof errors
  help: typeof help
  identity: typeof identity
  landing: typeof landing
  lists: typeof lists
  mail: typeof mail
  mobile: typeof mobile
  notifications: typeof notifications
  operator: typeof operator
  options: typeof options
  outputs: typeof outputs
  points: typeof points
  portal: typeof portal
  'quick-send': typeof quickSend
  report: typeof report
  printable: typeof printable
  requests: typeof requests
  'rich-text': typeof richText
  routes: typeof routes
  sending: typeof sending
  shell: typeof shell
  signatures: typeof signatures
  'sign-in': typeof signIn
  'stand-ins': typeof standIns
  termination: typeof termination
  verify: typeof verify
}
export type Namespace = keyof Resources
