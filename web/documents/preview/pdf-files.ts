/** Files that the reader of PDF fetches by their names; the version in the address lets browsers keep them for ever. */
export const pdfFiles = {
  folder: '/assets/pdfjs-6.5.438/',
  /** Which files of which folder. Scans are decoded by scripts: our content policy lets no WebAssembly run. */
  kinds: { cmaps: /\.bcmap$/, standard_fonts: /\.(pfb|ttf)$/, wasm: /nowasm_fallback\.js$/ },
}
