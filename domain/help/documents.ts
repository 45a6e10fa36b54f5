/** The help documents: their names in addresses, and the languages each is written in. */
export const helpLanguages = ['ru', 'kk', 'en'] as const
export type HelpLanguage = (typeof helpLanguages)[number]

const inTwo = ['ru', 'kk'] as const

export const helpDocuments = {
  instruction: helpLanguages,
  'accounting-integration': inTwo,
  'contract-offer': inTwo,
  'service-rules': inTwo,
  'personal-data-agreement': inTwo,
  'price-list': helpLanguages,
  answers: inTwo,
  'release-notes': inTwo,
} as const satisfies Record<string, readonly HelpLanguage[]>

export type HelpName = keyof typeof helpDocuments
export const helpNames = Object.keys(helpDocuments) as HelpName[]

/** The rules have two legacy names: one in the application, one on the landing page. */
const otherNames: Readonly<Record<string, HelpName>> = { 'terms-of-use': 'service-rules' }

export function helpNameOf(requested: string): HelpName | null {
  const name = requested.toLowerCase()
  return helpNames.find((one) => one === name) ?? (Object.hasOwn(otherNames, name) ? otherNames[name]! : null)
}

/** The language in which a reader gets a document: their own where it exists, else Russian. */
export function writtenIn(name: HelpName, wanted: HelpLanguage): HelpLanguage {
  const written: readonly HelpLanguage[] = helpDocuments[name]
  return written.includes(wanted) ? wanted : 'ru'
}

/** Screen recordings of the product, with captions in each language. */
export const videoNames = ['send', 'route', 'sign', 'quick-send', 'check'] as const
export type VideoName = (typeof videoNames)[number]
