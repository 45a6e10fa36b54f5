/** What the build leaves for the server: which file is which document, in which language and version. */
import type { HelpLanguage, HelpName } from '@kelisim/domain/help/documents.ts'
import type { tariffNames } from '@kelisim/domain/subscriptions/price-list.ts'

export type TariffName = (typeof tariffNames)[number]

/** One file of the help as the server knows it. */
export type HelpFile = {
  name: HelpName
  language: HelpLanguage
  /** The tariff that is marked in a price list; null: none. */
  tariff: TariffName | null
  file: string
  /** Of its bytes: another text has another one. */
  version: string
}

export const manifestName = 'help.json'
