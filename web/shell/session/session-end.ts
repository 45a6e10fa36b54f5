/** The session is over in the middle of work: the page reloads, signs in again, and what was typed is still there. */
import { setDirty } from '../../ui/form/dirty.ts'
import { hereAsReturnApp, signInAddress } from './session.ts'

let wasSignedIn = false

export function noteSignedIn(): void {
  wasSignedIn = true
}

export function endSession(): 'leaving' | 'staying' {
  if (wasSignedIn && /^\/login\b/i.test(window.location.pathname)) return 'staying'
  setDirty(false) // the drafts are kept; asking whether to leave would only frighten
  if (wasSignedIn) window.location.reload()
  else window.location.assign(signInAddress(hereAsReturnApp()))
  return 'leaving'
}
