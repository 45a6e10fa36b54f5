import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { afterUs } from '@kelisim/db/testing-after-us.ts'

/** Makes a temporary folder for this process and its children, which is removed at its end, however it ends. */
export function openTestFolder(): string {
  // Kept outside this folder, because a run that makes this cache anew takes a minute longer.
  process.env['PLAYWRIGHT_TRANSFORM_CACHE_DIR'] ??= join(tmpdir(), 'kelisim-journeys')
  // Servers and commands are started hundreds of times, so their compiled code is cached, too.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'kelisim-compiled')
  const folder = temporaryFolder()
  afterUs('rm -rf "$1"', folder)
  process.env['TMPDIR'] = folder
  return folder
}
