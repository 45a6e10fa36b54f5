/** The properties of every part of the landing. */
import type { Language } from '@kelisim/texts/languages.ts'
import type texts from '@kelisim/texts/ru/landing.json'

export type LandingTexts = typeof texts
/** Fills in numbers and names, with the plural forms of the language. */
export type Say = (key: string, values?: Record<string, string | number>) => string
export type LandingProps = { t: LandingTexts; language: Language; say: Say }

export const signInAddress = '/api-user/autologin'
/** A marker that the server replaces by the configured address. */
export const supportEmail = '__SUPPORT_EMAIL__'
