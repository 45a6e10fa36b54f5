/** The address at which the real program listens on every user's computer. */
export const usualProgramUrl = 'wss://127.0.0.1:13579'

/** Where people download the program. */
export const programDownloadUrl = 'https://ncl.pki.gov.kz'

/** What can fail before there is a signature: in the program or the app that makes it. */
const table = {
  'canceled-by-user': 'DS-801',
  'program-not-running': 'DS-802',
  'wrong-password': 'DS-803',
  'blocked-password': 'DS-804',
  'no-suitable-key': 'DS-805',
  'key-out-of-date': 'DS-806',
  'timestamp-not-made': 'DS-807',
  'xml-not-signed': 'DS-808',
  'program-failed': 'DS-809',
} as const

export type ProgramFault = keyof typeof table
export type ProgramCode = (typeof table)[ProgramFault]

export const programFaults = Object.keys(table) as ProgramFault[]

export function programCode(fault: ProgramFault): ProgramCode {
  return table[fault]
}
