/**
 * The shape of all texts, taken from the Russian ones: a key that does not exist does not compile.
 * One file a slice and language; a test holds the three languages against each other.
 */
import type common from './ru/common.json'
import type errors from './ru/errors.json'
import type mail from './ru/mail.json'
import type signIn from './ru/sign-in.json'

export type Resources = {
  common: typeof common
  errors: typeof errors
  mail: typeof mail
  'sign-in': typeof signIn
}
export type Namespace = keyof Resources

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Resources
  }
}
