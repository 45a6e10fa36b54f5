/** The QR codes in a scan or a photograph. Loaded with the first picture, because the reader is large. */
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

/** `wasm`: the address of the WebAssembly file, or its bytes. */
export function useReader(wasm: string | ArrayBuffer): void {
  prepareZXingModule({
    overrides: typeof wasm === 'string' ? { locateFile: () => wasm } : { wasmBinary: wasm },
  })
}

/** A page of a card has at most a dozen codes. */
const mostCodes = 64

export async function codesIn(picture: Blob): Promise<string[]> {
  const found = await readBarcodes(picture, {
    formats: ['QRCode'],
    tryHarder: true,
    tryInvert: false,
    maxNumberOfSymbols: mostCodes,
    textMode: 'Plain',
  })
  return found.filter(({ isValid }) => isValid).map(({ text }) => text)
}
