/** The colours of everything we print, in Node and in the browser. */
export const palette = {
  ink: '#16262d',
  soft: '#566870',
  line: '#c9d5d9',
  pale: '#f1f6f7',
  turquoise: '#00707f',
  gold: '#b7791f',
  danger: '#b3261e',
  success: '#1b7f4b',
} as const

export type Colour = keyof typeof palette

/** Red, green and blue as PDF operators take them: each from 0 to 1. */
export function rgbOf(colour: Colour): [red: number, green: number, blue: number] {
  const value = Number.parseInt(palette[colour].slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}
