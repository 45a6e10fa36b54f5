/**
 * The fonts of PDFs: Golos Text for the product's texts, Noto Serif for what people write. Both have every character of
 * Russian, Kazakh and English.
 */
import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

const golosRegular = resolve('@expo-google-fonts/golos-text/400Regular/GolosText_400Regular.ttf')
const golosBold = resolve('@expo-google-fonts/golos-text/600SemiBold/GolosText_600SemiBold.ttf')

/** Golos has no italic faces; none is used. */
export const golosText = {
  normal: golosRegular,
  bold: golosBold,
  italics: golosRegular,
  bolditalics: golosBold,
}

export const notoSerif = {
  normal: resolve('@expo-google-fonts/noto-serif/400Regular/NotoSerif_400Regular.ttf'),
  bold: resolve('@expo-google-fonts/noto-serif/700Bold/NotoSerif_700Bold.ttf'),
  italics: resolve('@expo-google-fonts/noto-serif/400Regular_Italic/NotoSerif_400Regular_Italic.ttf'),
  bolditalics: resolve('@expo-google-fonts/noto-serif/700Bold_Italic/NotoSerif_700Bold_Italic.ttf'),
}
