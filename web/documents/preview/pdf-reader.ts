/**
 * Opens a PDF in a worker under our content security policy: no script of the file runs and nothing is fetched from
 * elsewhere.
 */
import { getDocument, GlobalWorkerOptions, type PDFDocumentLoadingTask } from 'pdfjs-dist'
// oxlint-disable-next-line import/default -- the build makes it an address
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { pdfFiles } from './pdf-files.ts'

export type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'

GlobalWorkerOptions.workerSrc = workerAddress

export function openPdf(bytes: ArrayBuffer): PDFDocumentLoadingTask {
  const { folder } = pdfFiles
  return getDocument({
    data: new Uint8Array(bytes.slice(0)), // a copy, because the reader takes ownership of the bytes
    cMapUrl: `${folder}cmaps/`,
    standardFontDataUrl: `${folder}standard_fonts/`,
    wasmUrl: `${folder}wasm/`,
    useWasm: false,
    enableXfa: false,
    disableWorkerRendering: true,
  })
}
