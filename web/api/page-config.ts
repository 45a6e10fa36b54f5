/** What the server tells the page before its first call (server/http/site.ts puts it into the HTML). */
export type PageConfig = {
  version: string
  isDemo: boolean
  /** Undefined: the portal that is built in. */
  adminPortalUrl?: string
  /** Undefined: the sign-in service keeps no account page of its own. */
  accountUrl?: string
  /** Undefined: the sign-in service has its own way of making accounts. */
  registerUrl?: string
  /** Where people write to us. */
  supportEmail?: string
  /** The signing program on people's computers; undefined: digital signatures cannot be checked here. */
  signer?: {
    url: string
    acceptsAnyChain: boolean
    /** Of the demo's stand-in, where the program would open a window of its own. */
    windowUrl: string | null
  }
}

export const pageConfig = JSON.parse(
  document.getElementById('page-config')?.textContent ?? '{}',
) as PageConfig

export const styleNonce: string =
  document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''

declare const __BUILD__: string | undefined

/** Undefined in tests, which are not built. */
export const ownBuild = typeof __BUILD__ === 'undefined' ? 'dev' : __BUILD__
