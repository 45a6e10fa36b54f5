/**
 * Markers for the facts that an installation's operator publishes about itself, which the build cannot know.
 * server/http/site/operator.ts replaces them; a fact that is not configured is removed with everything inside its
 * `IfSaid`.
 */
import type { ReactNode } from 'react'

export const operator = {
  name: '__NAME__',
  bin: '__BIN__',
  address: '__ADDRESS__',
  companies: '__COMPANIES__',
} as const

/** A marker among the properties of the JSON for search engines; must not be the first one. */
export const operatorFacts = { __OPERATOR_FACTS__: true } as const

type OperatorFact = 'COMPANIES' | 'NAME' | 'BIN' | 'ADDRESS' | 'SOCIAL'

export function IfSaid({ what, children }: { what: OperatorFact; children: ReactNode }) {
  return (
    <>
      {`__IF_${what}__`}
      {children}
      {`__END_${what}__`}
    </>
  )
}

export function Phones() {
  return (
    <>
      {eachPhone}
      <a href="tel:__PHONE_DIGITS__">{phone}</a>
      {endOfPhone}
    </>
  )
}

export function SocialLinks() {
  return (
    <>
      {eachLink}
      <a href="__LINK__" rel="noopener">
        {linkName}
      </a>
      {endOfLink}
    </>
  )
}

const [eachPhone, phone, endOfPhone] = ['__EACH_PHONE__', '__PHONE__', '__END_PHONE__']
const [eachLink, linkName, endOfLink] = ['__EACH_LINK__', '__LINK_NAME__', '__END_LINK__']
