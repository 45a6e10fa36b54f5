/** When the session ends during work, the page reloads to sign in again; typed text is kept as a draft. */
import { hereAsReturnApp, signInAddress } from '../../api/sign-in-address.ts'
import { clearDirty } from '../../ui/form/dirty.ts'

let wasSignedIn = false

export function noteSignedIn(): void {
  wasSignedIn = true
}

let isSigningOut = false

/** Notes that the person is signing out, so that pending calls that fail do not lead to signing in again. */
export function noteSigningOut(isGoing: boolean): void {
  isSigningOut = isGoing
}

export function endSession(): 'leaving' | 'staying' {
  if (isSigningOut) return 'leaving'
  if (wasSignedIn && /^\/login\b/i.test(window.location.pathname)) return 'staying'
  clearDirty() // drafts are kept, so asking whether to leave would only confuse
  if (wasSignedIn) window.location.reload()
  else window.location.assign(signInAddress(hereAsReturnApp()))
  return 'leaving'
}
