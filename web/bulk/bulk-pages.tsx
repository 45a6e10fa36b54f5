/** The pages of bulk sending: one part of the site, loaded when it is first opened. */
export { BulkPage } from './bulk-page.tsx'
export { BulksPage } from './bulks-page.tsx'
