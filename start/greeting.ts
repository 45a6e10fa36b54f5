import { keyPassword } from '@kelisim/demo/keys.ts'
import { demoAccounts } from '@kelisim/demo/seed.ts'
import { pages } from '@kelisim/domain/pages.ts'
import type { Config } from '@kelisim/server/config.ts'

/** The lines printed on the terminal once the product is ready: the address, and who to sign in as. */
export function greeting({ publicUrl, isDemo, signer }: Config, version: string): string {
  const address = publicUrl.href.replace(/\/$/, '')
  if (!isDemo) return `\nKelisim ${version} is ready at ${address}\n\n`
  const people = demoAccounts.map((a) => `    ${a.fullName} — ${a.note.ru}`).join('\n')
  return (
    `\nKelisim ${version} (demo) is ready: open ${address}${pages.incomingRequests}\n` +
    `and choose on the sign-in page who you are, with one click:\n${people}\n` +
    `E-mails that the product sends: ${address}${pages.mailbox}\n` +
    signingHint(signer)
  )
}

function signingHint({ windowUrl, phoneUrl }: Config['signer']): string {
  if (!windowUrl || !phoneUrl) return '\n'
  return (
    `Sign with the stand-ins of NCALayer (${windowUrl.href}) and of the phone (${phoneUrl.href});\n` +
    `the password of every demo key is ${keyPassword}\n\n`
  )
}
