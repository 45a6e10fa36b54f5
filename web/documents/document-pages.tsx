/** Uploaded documents: one part of the site, loaded when it is first opened. */
export { DocumentPage } from './document-page.tsx'
export { DocumentsPage } from './documents-page.tsx'
