/** What opens the app: the text of a QR code (`mobileSign:` and an address), or a link on a page on the same phone. */
import { PhoneError } from './phone-error.ts'

/** The current addresses, and those of the link service that closed in 2025. */
const launchers = [
  { host: 'm.egov.kz', path: /^\/(mobileSign|businessSign)\/?$/ },
  { host: 'mgovsign.page.link', path: /^\/?$/ },
  { host: 'egovbusiness.page.link', path: /^\/?$/ },
]

/** Parameters that follow an unencoded address in a link. */
const launcherParameters = /&(isi|ibi|apn)=[^&]*/g

const qrPrefix = 'mobileSign:'
const word = 'mgovSign'

export type AllowedHosts = {
  /** Origins that may request signatures; any if left out. */
  origins?: readonly string[]
  isHttpsOnly: boolean
}

/** Returns the address of API 1. */
export function openCode(text: string, allowed: AllowedHosts): URL {
  const code = text.trim()
  const address = code.startsWith(qrPrefix) ? code.slice(qrPrefix.length) : launchedAddress(code)
  if (address === null || /\s/.test(address) || !URL.canParse(address)) throw new PhoneError('not-a-code')
  const url = new URL(address)
  demandAllowed(url, allowed)
  if (!url.href.includes(word)) throw new PhoneError('no-word')
  return url
}

export function demandAllowed(url: URL, { origins, isHttpsOnly }: AllowedHosts): void {
  if (url.protocol !== 'https:' && (isHttpsOnly || url.protocol !== 'http:')) {
    throw new PhoneError('not-https', url.host)
  }
  if (origins && !origins.includes(url.origin)) throw new PhoneError('unknown-host', url.host)
}

function launchedAddress(code: string): string | null {
  const link = URL.parse(code)
  const isLauncher =
    link?.protocol === 'https:' &&
    launchers.some(({ host, path }) => host === link.host && path.test(link.pathname))
  const start = code.indexOf('link=')
  if (!isLauncher || start === -1) return null
  const given = code.slice(start + 'link='.length)
  if (/^https?:\/\//.test(given)) return given.replaceAll(launcherParameters, '')
  return link.searchParams.get('link')
}
