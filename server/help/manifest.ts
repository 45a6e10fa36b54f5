/** What the build writes for the server: which file is which document, in which language and version. */
import type { HelpLanguage, HelpName } from '@kelisim/domain/help/documents.ts'
import type { tariffNames } from '@kelisim/domain/subscriptions/price-list.ts'

export type TariffName = (typeof tariffNames)[number]

/** One help file as the server knows it. */
export type HelpFile = {
  name: HelpName
  language: HelpLanguage
  /** The tariff highlighted in a price list; null: none. */
  tariff: TariffName | null
  file: string
  /** The hash of its bytes: it changes with the content. */
  version: string
}

export const manifestName = 'help.json'
