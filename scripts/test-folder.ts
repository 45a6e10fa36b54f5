import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { afterUs } from '@kelisim/db/testing-after-us.ts'

/** Whatever this process and its children put into the temporary folder is removed at its end, however it ends. */
export function openTestFolder(): string {
  // Made anew by every run, this cache would cost each of them some ten seconds.
  process.env['PLAYWRIGHT_TRANSFORM_CACHE_DIR'] ??= join(tmpdir(), 'kelisim-journeys')
  const folder = temporaryFolder()
  afterUs('rm -rf "$1"', folder)
  process.env['TMPDIR'] = folder
  return folder
}
