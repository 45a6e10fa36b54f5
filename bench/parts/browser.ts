import { chromium, type Browser } from '@playwright/test'
import { browserOrExit } from '@kelisim/tools/machine.ts'

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserOrExit(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
}
