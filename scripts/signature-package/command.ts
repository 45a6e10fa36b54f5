#!/usr/bin/env node
/** `kelisim-verify FILE…`: judges files offline and prints the verdict as one JSON object. */
import { basename } from 'node:path'
import { evidenceAtHand, filePolicy } from '@kelisim/signature/examination/policy.ts'
import { readArguments, UsageError } from '../verify/arguments.ts'
import {
  readBytes,
  readCertificates,
  readCrls,
  readDer,
  readOcspResponses,
  readRoots,
} from '../verify/files.ts'
import { reportOf } from '../verify/judge-files.ts'
import { exitCodes } from '../verify/report.ts'

const usage = `kelisim-verify --roots PATH… [--certs PATH…] [--crl FILE…] [--ocsp FILE…] [--at TIME] [--no-revocation]
               [--content FILE] [--log-key FILE…] FILE…

FILE is a signature (CMS as DER, PEM or base64), a signed PDF or XML, or what contains such: an archive (.zip), an e-mail (.eml), a
PDF with attachments, an evidence bundle. Several files are matched to each other by their content.
PATH is a file (DER or PEM) or a folder of such files. TIME is as in 2026-06-01T00:00:00Z; now where it is not given.
Nothing is sent anywhere: revocation is judged by what --crl and --ocsp give and what the signatures carry.
Exit: 0 passed, 1 failed, 2 indeterminate, 64 wrong usage.`

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n\n${usage}`)
  process.exitCode = 64
}

async function run(args: readonly string[]): Promise<number> {
  const { rest, logKeys } = withoutLogKeys(args)
  const given = readArguments(rest, new Date())
  if (given.mode !== 'signature' || given.isOnline)
    throw new UsageError('This command takes files, and works offline')
  const read = (path: string) => ({ name: basename(path), bytes: readBytes(path) })
  const report = await reportOf(
    [given.signature, ...given.more].map(read),
    given.content === null ? null : read(given.content),
    {
      setting: {
        trust: { roots: readRoots(given.roots), others: readCertificates(given.certs) },
        evidence: evidenceAtHand({ crls: readCrls(given.crl), ocsp: readOcspResponses(given.ocsp) }),
        policy: { ...filePolicy, revocation: given.isRevocationChecked ? 'any' : 'none' },
        at: given.at,
      },
      logKeys: logKeys.map(readDer),
    },
  )
  console.log(JSON.stringify(report))
  return exitCodes[report.verdict]
}

/**
 * Takes out `--log-key`, which the usual parser accepts only for a bundle: here a bundle is a file like any other.
 */
function withoutLogKeys(args: readonly string[]): { rest: string[]; logKeys: string[] } {
  const rest: string[] = []
  const logKeys: string[] = []
  for (let i = 0; i < args.length; i++) {
    if (args[i] !== '--log-key') rest.push(args[i]!)
    else if (args[i + 1] === undefined) throw new UsageError('--log-key is given nothing')
    else logKeys.push(args[++i]!)
  }
  return { rest, logKeys }
}
