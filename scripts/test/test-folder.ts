import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { afterUs } from '@kelisim/db/testing-after-us.ts'

/** Whatever this process and its children put into the temporary folder is removed at its end, however it ends. */
export function openTestFolder(): string {
  // Made anew by every run, these caches would cost each of them a minute.
  process.env['PLAYWRIGHT_TRANSFORM_CACHE_DIR'] ??= join(tmpdir(), 'kelisim-journeys')
  // Servers and commands are started hundreds of times: what was compiled once is not compiled again.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'kelisim-compiled')
  const folder = temporaryFolder()
  afterUs('rm -rf "$1"', folder)
  process.env['TMPDIR'] = folder
  return folder
}
