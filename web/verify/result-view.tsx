/** The result of the check: first one sentence, then who signed when, then the reasons, last technical details. */
import { useEffect, useRef, useState } from 'react'
import { pages } from '@kelisim/domain/pages.ts'
import { currentLanguage } from '../i18n/language.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { saveBlob } from '../ui/browser/save-blob.ts'
import {
  outcomeOf,
  type Group,
  type Report,
  type SignatureReport,
  type SignerReport,
} from './checking/report.ts'
import { BadIcon, GoodIcon, UnknownIcon } from './icons.tsx'
import { Facts } from '../ui/page/facts.tsx'
import { OutcomeBand, OutcomeMark } from './outcome.tsx'
import { summaryOf, unaskedText } from './summary.ts'
import { stampLines, trustLines } from './trust-lines.ts'
import classes from './verify.module.css'
import {
  attachmentRows,
  bundleFaults,
  bundleRows,
  cautionOf,
  checksOf,
  detailRows,
  documentLabel,
  fileRows,
  meaningOf,
  placeRows,
  reasonsOf,
  recordRows,
  sentenceOfGroup,
  signerRows,
  timeText,
  titleOfUnnamed,
  type CheckLine,
} from './wording.ts'

export function ResultView({ report, onRetry }: { report: Report; onRetry: () => void }) {
  const { t, find } = useTexts('verify')
  const place = useRef<HTMLDivElement>(null)
  const [saving, setSaving] = useState<'no' | 'now' | 'failed'>('no')
  useEffect(() => place.current?.querySelector('h2')?.focus(), [])
  async function save(): Promise<void> {
    setSaving('now')
    try {
      const { verdictPdf } = await import('./verdict-pdf.ts')
      const address = new URL(pages.verify, window.location.origin).href
      const bytes = await verdictPdf(report, { t, find, language: currentLanguage(), address })
      saveBlob(new Blob([bytes], { type: 'application/pdf' }), `${t('pdf.fileName')}.pdf`)
      setSaving('no')
    } catch {
      setSaving('failed')
    }
  }
  const summary = summaryOf(report.groups, t)
  const unasked = unaskedText(report, t)
  const hasVerdict = report.groups.some(
    ({ signatures, bundle, record }) => signatures.length > 0 || bundle !== null || record,
  )
  return (
    <div ref={place} className={classes.results} role="region" aria-label={t('result.title')}>
      {unasked !== null && (
        <p className={classes.unasked} role="note">
          {unasked}
        </p>
      )}
      {summary && (
        <section className={classes.group}>
          <OutcomeBand {...summary} />
        </section>
      )}
      {report.groups.map((group, i) => (
        <GroupCard key={i} group={group} />
      ))}
      <div className={classes.after}>
        {hasVerdict && (
          <button
            type="button"
            className={classes.button}
            aria-busy={saving === 'now'}
            onClick={() => void save()}
          >
            {t('result.save')}
          </button>
        )}
        {report.groups.some(({ outcome }) => outcome === 'later') && (
          <button type="button" className={classes.plain} onClick={onRetry}>
            {t('failure.retry')}
          </button>
        )}
        {saving === 'failed' && (
          <p role="alert" className={classes.error}>
            {t('result.saveFailed')}
          </p>
        )}
        <p className={classes.help}>{t('result.checkedAt', { time: timeText(report.at) })}</p>
      </div>
    </div>
  )
}

function GroupCard({ group }: { group: Group }) {
  const { t, find } = useTexts('verify')
  const { outcome, container, documents, signatures } = group
  const faults = bundleFaults(group, find)
  const caution = cautionOf(group, t)
  return (
    <section className={classes.group}>
      <OutcomeBand outcome={outcome} sentence={sentenceOfGroup(group, t)} meaning={meaningOf(group, t)} />
      {caution !== null && <p className={classes.caution}>{caution}</p>}
      {container && (
        <Facts rows={fileRows(container, t(group.record ? 'record.file' : 'result.container'), t)} />
      )}
      {documents.map((document) => (
        <div key={document.name} className={classes.document}>
          <Facts
            rows={fileRows(document, signatures.length > 0 ? documentLabel(group, t) : t('result.file'), t)}
          />
          {document.inside && (
            <button
              type="button"
              className={classes.plain}
              onClick={() => saveBlob(document.inside!, document.name)}
            >
              {t('result.saveInside')}
            </button>
          )}
        </div>
      ))}
      {group.links?.map((link) => (
        <p key={link} className={classes.link}>
          {t('paper.link')}{' '}
          <a href={link} target="_blank" rel="noreferrer noopener">
            {new URL(link).host}
          </a>
        </p>
      ))}
      {group.attachments && <Facts rows={attachmentRows(group, t)} />}
      {faults.length > 0 && (
        <div className={classes.reasons}>
          <h3>{t('bundle.faults')}</h3>
          <ul>
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </div>
      )}
      {group.bundle && <Facts rows={bundleRows(group, t)} />}
      {group.record && <Facts rows={recordRows(group, t)} />}
      {group.record && <Reasons faults={group.record.faults} />}
      {signatures.length > 0 && <h3>{t('result.signatures')}</h3>}
      <ul className={classes.signers}>
        {signatures.map((signature, i) => (
          <SignatureItem key={i} signature={signature} />
        ))}
      </ul>
    </section>
  )
}

/** A signature file may have several signers; an unreadable file has none and says why. */
function SignatureItem({ signature }: { signature: SignatureReport }) {
  const { signers, inPdf } = signature
  const { t } = useTexts('verify')
  if (signers.length > 0) {
    return signers.map((signer, i) => <SignerItem key={i} signer={signer} signature={signature} />)
  }
  return (
    <li className={classes.signer}>
      <h4>
        <OutcomeMark outcome={outcomeOf(signature.verdict)} />
        {titleOfUnnamed(signature, t)}
      </h4>
      <Facts rows={[[t('result.fileOfSignature'), signature.fileName], ...placeRows(signature, t)]} />
      <Reasons faults={signature.faults} />
      {inPdf?.timestampTrust && <TrustList lines={stampLines(inPdf.timestampTrust, t)} />}
    </li>
  )
}

function SignerItem({ signer, signature }: { signer: SignerReport; signature: SignatureReport }) {
  const { t, find } = useTexts('verify')
  const outcome = outcomeOf(signature.faults.length > 0 ? signature.verdict : signer.verdict)
  const details = detailRows(signer, signature, t)
  const trust = trustLines(signer, { find, t })
  return (
    <li className={classes.signer}>
      <h4>
        <OutcomeMark outcome={outcome} />
        {signer.name ?? t('signer.unknown')}
      </h4>
      <Facts rows={[...signerRows(signer, { find, t }), ...placeRows(signature, t)]} />
      <SignedVersion signature={signature} />
      <Reasons faults={[...signature.faults, ...signer.faults]} />
      <h5>{t('checks.title')}</h5>
      <ul className={classes.checks}>
        {checksOf(signer, signature, t).map((line) => (
          <CheckItem key={line.key} line={line} />
        ))}
      </ul>
      <TrustList lines={trust} />
      <details className={classes.details}>
        <summary>{t('result.details')}</summary>
        <Facts rows={details} />
        <CopyButton
          text={[
            signer.name ?? t('signer.unknown'),
            ...[...signerRows(signer, { find, t }), ...details].map((row) => row.join(': ')),
            ...trust,
          ].join('\n')}
        />
      </details>
    </li>
  )
}

/** The reasons why a signature is trusted. */
function TrustList({ lines }: { lines: readonly string[] }) {
  const { t } = useTexts('verify')
  if (lines.length === 0) return null
  return (
    <>
      <h5>{t('trust.title')}</h5>
      <ul className={classes.trust}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}

/** Offers the file as this person signed it, if others have added to it; of an XML document, the signed part. */
function SignedVersion({ signature: { inPdf, inXml, fileName } }: { signature: SignatureReport }) {
  const { t } = useTexts('verify')
  if (inXml?.signed) {
    const { signed } = inXml
    const name = fileName.replace(/(\.xml)?$/i, ` (${t('xmlSignature.signed')}).xml`)
    return (
      <button type="button" className={classes.plain} onClick={() => saveBlob(signed, name)}>
        {t('xmlSignature.save')}
      </button>
    )
  }
  if (!inPdf?.signedVersion) return null
  const { signedVersion, covers } = inPdf
  const name = fileName.replace(/(\.pdf)?$/i, ` (${covers!.revision}).pdf`)
  return (
    <button type="button" className={classes.plain} onClick={() => saveBlob(signedVersion, name)}>
      {t('pdfSignature.save')}
    </button>
  )
}

const checkIcons = { good: GoodIcon, bad: BadIcon, unknown: UnknownIcon }

function CheckItem({ line: { state, text } }: { line: CheckLine }) {
  const Icon = checkIcons[state]
  return (
    <li data-state={state}>
      <Icon size={18} />
      <span>{text}</span>
    </li>
  )
}

function Reasons({ faults }: { faults: SignerReport['faults'] }) {
  const { t, find } = useTexts('verify')
  const reasons = reasonsOf(faults, find)
  if (reasons.length === 0) return null
  return (
    <div className={classes.reasons}>
      <h5>{t('reason')}</h5>
      {reasons.map(({ code, text, advice }) => (
        <p key={code}>
          {text} <span className={classes.codeName}>({code})</span>
          <br />
          <span className={classes.advice}>{advice}</span>
        </p>
      ))}
    </div>
  )
}

function CopyButton({ text }: { text: string }) {
  const { t } = useTexts('verify')
  const [isCopied, setCopied] = useState(false)
  return (
    <button
      type="button"
      className={classes.plain}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <span role="status">{isCopied ? t('result.copied') : t('result.copy')}</span>
    </button>
  )
}
