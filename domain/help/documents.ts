/** The help documents, by their names in addresses; each is written in every language. */
export const helpLanguages = ['ru', 'kk', 'en'] as const
export type HelpLanguage = (typeof helpLanguages)[number]

export const helpNames = [
  'instruction',
  'accounting-integration',
  'contract-offer',
  'service-rules',
  'personal-data-agreement',
  'price-list',
  'answers',
  'release-notes',
] as const
export type HelpName = (typeof helpNames)[number]

/** The page of a help document, or of the videos. */
export function helpPage(name: HelpName | 'videos'): string {
  return `/frame/${name}`
}

/** The rules have two legacy names: one in the application, one on the landing page. */
const otherNames: Readonly<Record<string, HelpName>> = { 'terms-of-use': 'service-rules' }

export function helpNameOf(requested: string): HelpName | null {
  const name = requested.toLowerCase()
  return helpNames.find((one) => one === name) ?? (Object.hasOwn(otherNames, name) ? otherNames[name]! : null)
}

/** Screen recordings of the product, with captions in each language. */
export const videoNames = ['send', 'route', 'sign', 'quick-send', 'check'] as const
export type VideoName = (typeof videoNames)[number]
