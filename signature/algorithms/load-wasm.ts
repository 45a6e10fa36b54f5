/** A module from its text in built/. Compiled when first needed, once. */
export function loadModule(base64: string): WebAssembly.Module {
  return new WebAssembly.Module(bytesOf(base64))
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
