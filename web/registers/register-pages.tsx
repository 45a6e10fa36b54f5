/** The pages of the registers: one part of the site, loaded when it is first opened. */
export { EntriesPage } from './entries-page.tsx'
export { JournalsPage } from './journals-page.tsx'
export { KindsPage } from './kinds-page.tsx'
