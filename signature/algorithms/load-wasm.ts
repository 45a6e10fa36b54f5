/** A module from its text in built/, compiled once, when first needed. */
export function loadModule(base64: string): WebAssembly.Module {
  return new WebAssembly.Module(bytesOf(base64))
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
