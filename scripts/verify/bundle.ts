/** `--bundle`: checks an evidence bundle from a file by the same code as the check page, and reports the findings. */
import { judge, verdictOf, worst, type Verdict } from '@kelisim/domain/signatures/verdict.ts'
import { bundleLimits, isSafeName, type BundleReader } from '@kelisim/signature/bundle/bundle.ts'
import type { BundleCheck, BundleSignature } from '@kelisim/signature/bundle/check-bundle.ts'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { signerReport, verdictOnly, type SignerReport } from './report.ts'
import { UsageError } from './arguments.ts'
import type { BundleFault } from '@kelisim/signature/bundle/bundle-fault.ts'

export type OpenBundle = { files: BundleReader; close: () => void } | { fault: BundleFault }

/** The archive is not trusted: the unpacked size is counted, and names are checked. */
export async function openBundle(path: string): Promise<OpenBundle> {
  const zip = await open(path)
  if (!zip) return { fault: { fault: 'not-a-bundle', of: path } }
  const entries = new Map<string, Entry>()
  const names = new Set<string>()
  const refused = (fault: BundleFault['fault'], of: string): OpenBundle => {
    zip.close()
    return { fault: { fault, of } }
  }
  if (zip.entryCount > bundleLimits.files) return refused('too-much', '')
  let [total, packed] = [0, 0]
  try {
    for (;;) {
      const entry = await nextEntry(zip)
      if (!entry) break
      const { fileName: name } = entry
      const folded = name.normalize('NFC').toLowerCase()
      total += entry.uncompressedSize
      packed += entry.compressedSize
      // overlapping entries unpack to more than the file holds
      if (total > bundleLimits.bytes || packed > zip.fileSize) return refused('too-much', name)
      if (!isSafeName(name)) return refused('unsafe-name', name)
      // on a case-insensitive disk one would replace the other
      if (names.has(folded)) return refused('file-extra', name)
      names.add(folded)
      entries.set(name, entry)
    }
  } catch (error) {
    const isName = error instanceof Error && /path|characters in fileName/i.test(error.message)
    return refused(isName ? 'unsafe-name' : 'not-a-bundle', path)
  }
  return {
    files: { names: [...entries.keys()], read: (name) => piecesOf(zip, entries.get(name)) },
    close: () => zip.close(),
  }
}

async function open(path: string): Promise<ZipFile | null> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new UsageError(`Cannot read ${path}`)
    return null
  }
}

function nextEntry(zip: ZipFile): Promise<Entry | null> {
  return new Promise((resolve, reject) => {
    const onEntry = (entry: Entry) => settle(() => resolve(entry))
    const onEnd = () => settle(() => resolve(null))
    const onError = (error: Error) => settle(() => reject(error))
    const settle = (then: () => void) => {
      zip.off('entry', onEntry).off('end', onEnd).off('error', onError)
      then()
    }
    zip.on('entry', onEntry).on('end', onEnd).on('error', onError)
    zip.readEntry()
  })
}

/** Ends where it cannot be unpacked, and then fails its hash. */
async function* piecesOf(zip: ZipFile, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (!entry) return
  try {
    const stream = await zip.openReadStreamPromise(entry)
    for await (const piece of stream) yield piece as Uint8Array
  } catch {
    return
  }
}

export type BundleReport = Verdict & {
  faults: BundleFault[]
  request: BundleCheck['request']
  madeAt: string | null
  documents: { name: string; file: string; sha256: string; size: number }[]
  /** With its own verdict: the signatures may pass by their own evidence, while nothing proves the history. */
  history: (NonNullable<BundleCheck['history']> & { verdict: Verdict['verdict'] }) | null
  /** What the bundle states and no log entry confirms. */
  notBound: string[]
  log: { fingerprint: string; isKnown: boolean | null; size: number; at: string } | null
  signers: BundleSigner[]
}

type BundleSigner = SignerReport & {
  file: string
  document: string
  side: { name: string; bin: string }
  /** The power of attorney under which it was accepted. */
  power: BundleSignature['power']
  receivedAt: string
  /** Since when it is proved to exist, and by what. */
  existedAt: string | null
  existedBy: BundleSignature['existedBy']
}

/** Anything changed, removed or added is a proved fault; otherwise the result is the worst of the signatures. */
export function bundleReport(check: BundleCheck): BundleReport {
  const { faults, request, history, log } = check
  const signers = check.signatures.map(bundleSigner)
  const isSpoiled = faults.length > 0 || signers.length === 0
  const ofHistory = historyVerdict(check)
  const verdict: Verdict = isSpoiled
    ? { verdict: 'TOTAL-FAILED', subIndication: null, code: null }
    : worst([...signers.map(verdictOnly), ofHistory])
  return {
    ...verdict,
    faults,
    request,
    madeAt: check.madeAt?.toISOString() ?? null,
    documents: check.documents.map(({ name, file, sha256, size }) => ({ name, file, sha256, size })),
    history: history && { ...history, verdict: isSpoiled ? 'TOTAL-FAILED' : ofHistory.verdict },
    notBound: notBoundIn(check),
    log: log && { ...log, at: log.at.toISOString() },
    signers,
  }
}

/** Without a key that is known from elsewhere, whoever made the bundle may have invented its history. */
function historyVerdict({ log }: BundleCheck): Verdict {
  return log?.isKnown === true ? judge([]) : verdictOf('log-key-unknown')
}

function notBoundIn({ request, documents, signatures, history }: BundleCheck): string[] {
  return [
    ...(request && !request.isNameBound ? ['request.name'] : []),
    ...(documents.length > 0 ? ['documents.name'] : []),
    ...(signatures.every(({ isBound }) => isBound.side) ? [] : ['signers.side']),
    ...(signatures.every(({ isBound }) => isBound.receivedAt) ? [] : ['signers.receivedAt']),
    ...((history?.shortened ?? 0) > 0 ? ['history.shortened'] : []),
  ]
}

function bundleSigner(signature: BundleSignature): BundleSigner {
  const { file, document, side, power, receivedAt, existedAt, existedBy, examination, findings } = signature
  return {
    ...signerReport(examination),
    ...judge(findings),
    file,
    document,
    side,
    power,
    receivedAt: receivedAt.toISOString(),
    existedAt: existedAt?.toISOString() ?? null,
    existedBy,
  }
}
