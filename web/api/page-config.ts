/** The configuration that the server puts into the HTML of the page (server/http/site/site.ts). */
export type PageConfig = {
  version: string
  isDemo: boolean
  /** Undefined: the built-in portal is used. */
  adminPortalUrl?: string
  /** Undefined: the sign-in service has no account page. */
  accountUrl?: string
  /** Undefined: accounts are created by the sign-in service in its own way. */
  registerUrl?: string
  /** The address of our support. */
  supportEmail?: string
  /** The desktop signing program; undefined: digital signatures cannot be verified in this installation. */
  signer?: {
    url: string
    acceptsAnyChain: boolean
    /** The address of the window of the demo's stand-in program; null: the real program opens its own window. */
    windowUrl: string | null
    /** Whether a single signature can get an archive timestamp here. */
    hasArchiveTimestamps: boolean
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
