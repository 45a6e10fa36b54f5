/**
 * The address of a help document. One that is the same for everybody has its version in it, so that it can be cached.
 */
import { helpPage, type HelpLanguage, type HelpName } from '@kelisim/domain/help/documents.ts'

export function helpAddress(
  name: HelpName,
  language: HelpLanguage,
  versions: Readonly<Record<string, string>>,
  organizationId?: string,
): string {
  // The price list marks the tariff of the organisation, so it differs between organisations.
  if (name === 'price-list' && organizationId !== undefined) {
    return `/files/${name}.${language}.pdf?organizationId=${encodeURIComponent(organizationId)}`
  }
  const version = versions[`${name}.${language}`]
  return version === undefined ? `/files/${name}.${language}.pdf` : `${helpPage(name)}.pdf?v=${version}`
}

/** The same document as a download. */
export function downloadAddress(address: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}download`
}
