/** Saves bytes as a download with the given name. */
import { minute } from '@kelisim/domain/durations.ts'
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(address), minute)
}
