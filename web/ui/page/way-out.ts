/** Where an error leads by its class, from whatever shows it (docs/product/errors-and-limits.md). */
import { pages } from '@kelisim/domain/pages.ts'
import type { ApiError } from '../../api/api.ts'
import { clearDirty } from '../form/dirty.ts'

export type WayOut = 'reload' | 'login' | 'agreement' | 'incoming'

/** Null: the page stays as it is. */
export function wayOutOf({ className, alias }: ApiError): WayOut | null {
  switch (className) {
    case 'OldVersionException':
    case 'OrganizationsNotFoundException':
    case 'UnauthorizedMiddlewareException':
    case 'ConcurrencyException':
      return 'reload'
    case 'PermissionDeniedMiddlewareException':
      return 'login'
    case 'PermissionDeniedException':
      if (alias === 'agreement-needed') return 'agreement'
      return remediable.has(alias) ? null : 'incoming'
    case 'CustomNotFoundException':
    case 'CustomValidationException':
    case 'HttpException':
    case 'TemporaryUnavailableException':
    case 'UnforeseenException':
      return null
  }
}

/** Refusals for which the person can do something, and then go on with the page. */
const remediable = new Set([
  'signing-request-access-failure',
  'organization-restricted',
  'organization-not-confirmed',
])

/** Whether somebody with other rights, or the same person with new ones, would see it. */
export function asksToSignIn({ alias }: ApiError): boolean {
  return alias === 'roles-filter' || alias === 'signing-request-access-failure'
}

export function takeWayOut(way: WayOut): void {
  if (way === 'reload') leave(() => window.location.reload())
  else leaveFor(addresses[way])
}

const addresses: Record<Exclude<WayOut, 'reload'>, string> = {
  login: '/login',
  agreement: '/agreementPage/validateauth',
  incoming: pages.incomingRequests,
}

export function leaveFor(address: string): void {
  leave(() => window.location.assign(address))
}

/** The person was told and agreed, so the browser need not ask again; what was typed is kept as a draft. */
function leave(go: () => void): void {
  clearDirty()
  go()
}
