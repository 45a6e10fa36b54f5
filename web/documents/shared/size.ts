/** File sizes for people: 840 КБ, 1,4 МБ. */
import type { Text } from '../../i18n/use-texts.ts'

const number = new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 1 })
const kilobyte = 1024
const megabyte = kilobyte * kilobyte

export function formatSize(bytes: number, t: Text<'documents'>): string {
  return bytes < megabyte
    ? t('sizes.kilobytes', { size: number.format(Math.max(1, Math.round(bytes / kilobyte))) })
    : t('sizes.megabytes', { size: number.format(bytes / megabyte) })
}
