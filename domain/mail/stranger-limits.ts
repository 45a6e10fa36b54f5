/**
 * How many e-mails a day (Asia/Almaty) may go to people who did not ask for them: invitations, and e-mails about requests to
 * people without an account (docs/product/notifications.md#letters-to-strangers). All numbers stand here.
 */
import { dateInAlmaty } from '../calendar.ts'

export const strangerLimitKinds = [
  'address',
  'domain',
  'organization',
  'organization-to-address',
  'organization-to-domain',
  'person',
  'person-to-address',
  'person-to-domain',
] as const
export type StrangerLimitKind = (typeof strangerLimitKinds)[number]

const limits = {
  person: {
    /** An accountant sends the acts of a month to every counterparty in one day. */
    confirmed: 200,
    /** A typed organisation only invites its own people: a team has a handful of them. */
    unconfirmed: 10,
  },
  organization: {
    /** Several people of a large company on such a day. */
    confirmed: 1000,
    /** No more than one of its people has: more people must not mean more strangers. */
    unconfirmed: 10,
  },
  /** From all senders together: more a day is no correspondence any more. */
  address: 30,
  domain: {
    /** A company that receives documents of many partners; more looks like an attack on its people. */
    ofOrganization: 200,
    /** Many people who have nothing to do with each other share it; only a flood is stopped. */
    public: 10_000,
  },
} as const

/** What one sender may use of the day of an address or a domain, so that nobody silences it for the others. */
const shareOfOne = 1 / 2

/** Mail services where anybody has an address; any country's Yandex. */
const publicDomains = new Set([
  'gmail.com',
  'googlemail.com',
  'icloud.com',
  'me.com',
  'mac.com',
  'mail.ru',
  'inbox.ru',
  'bk.ru',
  'list.ru',
  'internet.ru',
  'mail.kz',
  'ya.ru',
  'rambler.ru',
  'outlook.com',
  'hotmail.com',
  'live.com',
  'msn.com',
  'yahoo.com',
  'proton.me',
  'protonmail.com',
  'gmx.com',
  'zoho.com',
])
const yandex = /^yandex\.[a-z]{2,3}(?:\.[a-z]{2})?$/

export function isPublicDomain(domain: string): boolean {
  return publicDomains.has(domain) || yandex.test(domain)
}

/** The part of an address after the last @. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

export function strangerLimit(
  kind: StrangerLimitKind,
  { domain, isConfirmed }: { domain: string; isConfirmed: boolean },
): number {
  switch (kind) {
    case 'person':
    case 'organization':
      return isConfirmed ? limits[kind].confirmed : limits[kind].unconfirmed
    case 'address':
      return limits.address
    case 'organization-to-address':
    case 'person-to-address':
      return limits.address * shareOfOne
    case 'organization-to-domain':
    case 'person-to-domain':
      return strangerLimit('domain', { domain, isConfirmed }) * shareOfOne
    case 'domain':
      return isPublicDomain(domain) ? limits.domain.public : limits.domain.ofOrganization
  }
}

/** Until the next day begins in Kazakhstan (UTC+5, no summer time). */
export function secondsUntilTomorrow(now: Date): number {
  const midnight = new Date(`${dateInAlmaty(now)}T24:00:00+05:00`)
  return Math.ceil((midnight.getTime() - now.getTime()) / 1000)
}
