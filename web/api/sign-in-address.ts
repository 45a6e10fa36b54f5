import type { SignInWay } from '@kelisim/domain/identity/sign-in-ways.ts'

/** The address to sign in, which returns to `returnApp`. */
export function signInAddress(returnApp: string, changeAccount = false): string {
  const address = `/api-user/autologin?returnApp=${encodeURIComponent(returnApp)}`
  return changeAccount ? `${address}&changeAccount=true` : address
}

/** The address to sign in directly by a digital signature, without offering other ways. */
export function signInBySignature(way: SignInWay, returnApp: string, changeAccount = false): string {
  return `${signInAddress(returnApp, changeAccount)}&by=${way}`
}

export function hereAsReturnApp(): string {
  return window.location.pathname + window.location.search + window.location.hash
}
