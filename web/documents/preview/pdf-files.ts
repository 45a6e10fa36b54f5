/** Files that the PDF reader fetches by name; the version in the address lets browsers cache them for ever. */
export const pdfFiles = {
  folder: '/assets/pdfjs-6.5.438/',
  /**
   * The files needed from each folder. Scans are decoded by scripts because our content security policy forbids
   * WebAssembly.
   */
  kinds: { cmaps: /\.bcmap$/, standard_fonts: /\.(pfb|ttf)$/, wasm: /nowasm_fallback\.js$/ },
}
