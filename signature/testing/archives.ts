/** For tests: archives as programs write them. */
import { zipSync } from 'fflate'

export function zipOf(
  files: Readonly<Record<string, Uint8Array>>,
  level: 0 | 6 = 6,
): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zipSync({ ...files }, { level }))
}
