/** Loading it is all that is needed: pdf.js looks for it before it loads its own. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs'
