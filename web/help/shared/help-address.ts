/** Where a document of the help is: by its version where it is the same for everybody. */
import { writtenIn, type HelpLanguage, type HelpName } from '@kelisim/domain/help/documents.ts'

export function helpAddress(
  name: HelpName,
  reader: HelpLanguage,
  versions: Readonly<Record<string, string>>,
  organizationId?: string,
): string {
  const language = writtenIn(name, reader)
  // The price list marks what the organisation has, so it is no file for everybody.
  if (name === 'price-list' && organizationId !== undefined) {
    return `/files/${name}.${language}.pdf?organizationId=${encodeURIComponent(organizationId)}`
  }
  const version = versions[`${name}.${language}`]
  return version === undefined ? `/files/${name}.${language}.pdf` : `/frame/${name}.pdf?v=${version}`
}

/** The same, to be saved. */
export function downloadAddress(address: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}download`
}
