/** Checks an evidence bundle as a whole, with the same code as the command line. */
import { judge, worst } from '@kelisim/domain/signatures/verdict.ts'
import type { BundleReader } from '@kelisim/signature/bundle/bundle.ts'
import {
  checkBundle,
  type BundleCheck,
  type BundleSignature,
} from '@kelisim/signature/bundle/check-bundle.ts'
import type { Trust } from '@kelisim/signature/examination/policy.ts'
import { baseName } from '../reading/input-file.ts'
import { stateOfKey, type LogKeys } from './log-keys.ts'
import { unpacked, ZipError, type ZipEntry } from '../reading/read-zip.ts'
import { signerReport } from './facts.ts'
import {
  outcomeOf,
  worstOutcome,
  type FileFacts,
  type Group,
  type CheckOutcome,
  type SignatureReport,
} from './report.ts'

type BundleWork = { trust: Trust; logKeys: LogKeys; at: Date }

export async function bundleGroup(
  entries: readonly ZipEntry[],
  container: FileFacts,
  { trust, logKeys, at }: BundleWork,
): Promise<Group> {
  const byNames = new Map(entries.map((entry) => [entry.name, entry]))
  const reader: BundleReader = {
    names: [...byNames.keys()],
    read: (name) => byNames.get(name)?.pieces() ?? [],
  }
  const nothing = { documents: [], signatures: [], bundle: null }
  const unreadable: Group = {
    kind: 'bundle',
    outcome: 'unreadable',
    container,
    ...nothing,
    trouble: 'damaged',
  }
  try {
    const known = logKeys.keys.map(({ spki }) => spki)
    const check = await checkBundle(reader, { trust, at, logKeys: known })
    const documents = await Promise.all(
      check.documents.map(async ({ name, file, sha256, size }): Promise<FileFacts> => {
        const entry = byNames.get(file)
        return { name, size, sha256, inside: entry ? await unpacked(entry) : null }
      }),
    )
    return { ...groupOf(check, logKeys), container, documents }
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    return { ...unreadable, trouble: error.reason }
  }
}

function groupOf(check: BundleCheck, logKeys: LogKeys): Omit<Group, 'container' | 'documents'> {
  const signatures = check.signatures.map(reportOf)
  const { history, log } = check
  const logKey = log && stateOfKey(log.fingerprint, logKeys)
  // That the key is none of those seen before says nothing while the service cannot be asked for its present one.
  const faults = check.faults.filter(({ fault }) => fault !== 'log-key-other' || logKeys.isReachable)
  const outcomes = [
    ...signatures.map(({ verdict }) => outcomeOf(verdict)),
    ...faults.map(outcomeOfFault),
    // A forged bundle brings a log of its own: unless our log can be reached, nothing is certain.
    ...(logKey?.state === 'unknown' ? (['later'] as const) : []),
  ]
  return {
    kind: 'bundle',
    outcome: worstOutcome(outcomes),
    signatures,
    bundle: {
      request: check.request?.name ?? null,
      sender: check.request?.sender ?? null,
      madeAt: check.madeAt,
      faults,
      events: history?.events ?? null,
      shortened: history?.shortened ?? 0,
      leftOut: history?.leftOut ?? 0,
      isHistoryProved: history?.isProved ?? false,
      logFingerprint: log?.fingerprint ?? null,
      logKey,
    },
    trouble: null,
  }
}

/** Made by another installation, or before our log had its key: that alone proves nothing against it. */
function outcomeOfFault({ fault }: BundleCheck['faults'][number]): CheckOutcome {
  return fault === 'log-key-other' ? 'unconfirmed' : 'invalid'
}

function reportOf(signature: BundleSignature): SignatureReport {
  const { file, document, examination, findings, existedAt, existedBy, power } = signature
  const verdict = worst([judge(findings), ...(examination ? [judge(examination.findings)] : [])])
  const signer = examination && {
    ...signerReport(examination),
    ...(existedAt && { provedTime: existedAt, provedBy: existedBy }),
    power,
  }
  return {
    fileName: baseName(file),
    document: baseName(document),
    verdict,
    faults: findings.filter((finding) => !examination?.findings.includes(finding)),
    signers: signer ? [signer] : [],
  }
}
