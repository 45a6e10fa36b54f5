/** It only has to be loaded: pdf.js looks for this module before it loads its own. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs'
