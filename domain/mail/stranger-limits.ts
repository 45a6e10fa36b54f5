/**
 * How many e-mails a day (Asia/Almaty) may go to people who did not ask for them: invitations, and e-mails about
 * requests to people without an account (docs/product/notifications.md#e-mails-to-strangers). All limits are defined
 * here.
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
    /** Enough for an accountant who sends the acts of a month to every counterparty in one day. */
    confirmed: 200,
    /** An unconfirmed organisation can only invite its own people, who are a small team. */
    unconfirmed: 10,
  },
  organization: {
    /** Enough for several people of a large company on such a day. */
    confirmed: 1000,
    /** The same as for one of its people, so that more members do not allow more e-mails to strangers. */
    unconfirmed: 10,
  },
  /** From all senders together: more a day is no normal correspondence. */
  address: 30,
  domain: {
    /** Enough for a company that receives documents of many partners; more looks like an attack on its people. */
    ofOrganization: 200,
    /** Shared by many people who have nothing to do with each other, so only a flood is stopped. */
    public: 10_000,
  },
} as const

/**
 * The share of the daily limit of an address or a domain that one sender may use, so that others can reach it too.
 */
const shareOfOne = 1 / 2

/** Mail services at which anybody can have an address, including Yandex of every country. */
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

/** Seconds until the next day begins in Kazakhstan (UTC+5, no summer time). */
export function secondsUntilTomorrow(now: Date): number {
  const midnight = new Date(`${dateInAlmaty(now)}T24:00:00+05:00`)
  return Math.ceil((midnight.getTime() - now.getTime()) / 1000)
}
