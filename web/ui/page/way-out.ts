/** Where an error leads by its class, in every component that shows errors (docs/product/errors-and-limits.md). */
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

/** Refusals that the person can remedy and then continue on the page. */
const remediable = new Set([
  'signing-request-access-failure',
  'organization-restricted',
  'organization-not-confirmed',
])

/** Whether signing in anew may help: as a person with other rights, or after the own rights have changed. */
export function asksToSignIn({ alias }: ApiError): boolean {
  return alias === 'roles-filter' || alias === 'signing-request-access-failure'
}

export function takeWayOut(way: WayOut): void {
  if (way === 'reload') leave(() => window.location.reload())
  else leaveFor(addresses[way])
}

const addresses: Record<Exclude<WayOut, 'reload'>, string> = {
  login: pages.login,
  agreement: pages.agreement,
  incoming: pages.incomingRequests,
}

export function leaveFor(address: string): void {
  leave(() => window.location.assign(address))
}

/** Leaves without the browser's question, because the person has agreed already; typed text is kept as a draft. */
function leave(go: () => void): void {
  clearDirty()
  go()
}
