/** What we ask of a font; the package has no types of its own. */
declare module 'fontkit' {
  export function openSync(path: string): { hasGlyphForCodePoint: (codePoint: number) => boolean }
}
