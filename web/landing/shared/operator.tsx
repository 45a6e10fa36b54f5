/**
 * Places for what the operator of an installation says of itself. The build cannot know it: these markers are replaced
 * by server/http/site/operator.ts, and what was not said disappears with all that stands between them.
 */
import type { ReactNode } from 'react'

export const operator = {
  name: '__NAME__',
  bin: '__BIN__',
  address: '__ADDRESS__',
  companies: '__COMPANIES__',
} as const

/** A property of the JSON for search engines, after others. */
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
