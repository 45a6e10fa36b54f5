import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** For tests: readable by others, because the embedded database may run as another user than the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kelisim-test-'))
  chmodSync(folder, 0o755)
  return folder
}
