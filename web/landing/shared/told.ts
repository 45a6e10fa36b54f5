/** What every part of the landing is told. */
import type { Language } from '@kelisim/texts/languages.ts'
import type texts from '@kelisim/texts/ru/landing.json'

export type LandingTexts = typeof texts
/** `say` fills in numbers and names, with the plural of the language. */
export type Say = (key: string, values?: Record<string, string | number>) => string
export type Told = { t: LandingTexts; language: Language; say: Say }

export const signInAddress = '/api-user/autologin'
/** The server puts its own in. */
export const supportEmail = '__SUPPORT_EMAIL__'
