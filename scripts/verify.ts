/**
 * `npm run -s verify`: checks a signature, a certificate, an evidence bundle, an evidence record or the head of a
 * log, and prints the result as one JSON object.
 */
import { basename } from 'node:path'
import { visibleJson } from '@kelisim/domain/visible-text.ts'
import { examineCertificate } from '@kelisim/signature/examination/examine-certificate.ts'
import { evidenceAtHand, filePolicy, type Setting } from '@kelisim/signature/examination/policy.ts'
import { emptyCheck } from '@kelisim/signature/bundle/bundle-check.ts'
import { checkBundle } from '@kelisim/signature/bundle/check-bundle.ts'
import { certificateReport, exitCodes, type SignatureReport } from './verify/report.ts'
import { bundleReport, type BundleReport } from './verify/bundle-report.ts'
import { checkpointReport, witnessKeys, type CheckpointReport } from './verify/checkpoint.ts'
import { openBundle } from './verify/bundle.ts'
import { readArguments, usage, UsageError, type Common } from './verify/arguments.ts'
import {
  readBytes,
  readCertificates,
  readCrls,
  readDer,
  readOcspResponses,
  readRoots,
} from './verify/files.ts'
import { reportOf } from './verify/judge-files.ts'
import { evidenceOnline } from './verify/online.ts'
import { recordReport, type RecordReport } from './verify/record-report.ts'
import { runManifest } from './verify/manifest.ts'
import { codesInPicture } from './verify/paper.ts'

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n\n${usage}`)
  process.exitCode = 64
}

async function run(args: readonly string[]): Promise<number> {
  const given = readArguments(args, new Date())
  switch (given.mode) {
    case 'signature': {
      // read once: a pipe cannot be read twice
      const read = (path: string) => ({ name: basename(path), bytes: readBytes(path) })
      const files = [given.signature, ...given.more].map(read)
      const content = given.content === null ? null : read(given.content)
      return print(await reportOf(files, content, { setting: settingOf(given), codesIn: codesInPicture }))
    }
    case 'certificate': {
      const setting = settingOf(given)
      // there is no signature whose time matters, only the certificate at the time of the check
      const policy = { ...setting.policy, evidenceAge: 'current' } as const
      const examination = await examineCertificate(
        readDer(given.certificate),
        { ...setting, policy },
        given.policies,
      )
      return print(certificateReport(examination))
    }
    case 'bundle': {
      const opened = await openBundle(given.bundle)
      if ('fault' in opened) return print(bundleReport({ ...emptyCheck, faults: [opened.fault] }))
      const trust = { roots: readRoots(given.roots), others: readCertificates(given.certs) }
      const logKeys = given.logKeys.map(readDer)
      const witnesses = witnessKeys(given.witnesses)
      const check = await checkBundle(opened.files, { trust, at: given.at, logKeys, witnesses })
      opened.close()
      return print(bundleReport(check, given.quorum ?? witnesses.length))
    }
    case 'checkpoint':
      return print(await checkpointReport(readBytes(given.checkpoint), given, given.at))
    case 'record': {
      const read = (path: string) => ({ name: basename(path), bytes: readBytes(path) })
      const report = await recordReport(readBytes(given.record), given.content.map(read), settingOf(given))
      return print(report)
    }
    case 'manifest':
      return manifest(given.manifest)
  }
}

function settingOf(given: Common): Setting {
  const atHand = evidenceAtHand({ crls: readCrls(given.crl), ocsp: readOcspResponses(given.ocsp) })
  return {
    trust: { roots: readRoots(given.roots), others: readCertificates(given.certs) },
    evidence: given.isOnline ? evidenceOnline(atHand) : atHand,
    policy: { ...filePolicy, revocation: given.isRevocationChecked ? 'any' : 'none' },
    at: given.at,
  }
}

function print(answer: SignatureReport | BundleReport | CheckpointReport | RecordReport): number {
  console.log(visibleJson(answer))
  return exitCodes[answer.verdict]
}

async function manifest(path: string): Promise<number> {
  let passed = 0
  let failed = 0
  for await (const result of runManifest(path)) {
    if (result.ok) passed++
    else failed++
    console.log(visibleJson(result))
  }
  console.log(JSON.stringify({ passed, failed }))
  return failed === 0 ? 0 : 1
}
