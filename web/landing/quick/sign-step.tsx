/** Signing the document with the program on this computer or with the phone. */
import { useEffect, useRef, useState } from 'react'
import { commitTransaction, getQuickSend } from '@kelisim/domain/landing/quick-send-contract.ts'
import { programCode } from '@kelisim/domain/signatures/signing-program.ts'
import type * as z from 'zod/mini'
import { ApiError, call } from '../../api/api.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { useTexts, type KeyOf } from '../../i18n/use-texts.ts'
import { connectDesktopSigner, SigningError } from '../../signatures/desktop-signer.ts'
import { asBase64, errorText, type Begun, type SentResult } from './calls.ts'
import { sizeOf } from './file-place.tsx'
import { PhoneSigning } from './phone-signing.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import classes from './quick.module.css'

type Signer = z.output<typeof getQuickSend.result>['signer']
const openToAll = { isOpenToAll: true }

export function SignStep(props: { begun: Begun; onBack: () => void; onSent: (sent: SentResult) => void }) {
  const { t } = useTexts('landing-quick-send')
  const { begun } = props
  const { document: paper } = begun
  const [busy, setBusy] = useState<'asking' | 'committing' | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [signer, setSigner] = useState<Signer | undefined>(undefined)
  /** A signature whose submission got no response; it is sent again without another key prompt. */
  const [signature, setSignature] = useState<string | null>(null)
  const [isPhone, setPhone] = useState(false)
  const needsTimestamp = useRef(false)
  const title = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    title.current?.focus()
    call(getQuickSend, {}, undefined, openToAll).then(
      (answer) => setSigner(answer.signer),
      (error: unknown) => setFailure(errorText(error)),
    )
  }, [])

  async function sign(): Promise<void> {
    if (busy || !signer) return
    setFailure(null)
    setBusy('asking')
    try {
      const program = await connectDesktopSigner(signer)
      try {
        const options = { withTimestamp: needsTimestamp.current, locale: currentLanguage() }
        const [made] = await program.signDetached([await asBase64(begun.file)], options)
        setSignature(made!)
        await commit(made!)
      } finally {
        program.close()
      }
    } catch (error) {
      setFailure(error instanceof SigningError ? programWords(error) : errorText(error))
    } finally {
      setBusy(null)
    }
  }

  async function commit(made: string): Promise<void> {
    setBusy('committing')
    setFailure(null)
    try {
      const { transactionId } = begun
      props.onSent(await call(commitTransaction, { transactionId, signature: made }, undefined, openToAll))
    } catch (error) {
      const isOnlyLate = error instanceof ApiError && mayGoBetter.includes(error.alias)
      if (!isOnlyLate) setSignature(null)
      // The clock of this computer is wrong, so the next signature needs the time of the timestamp service.
      if (error instanceof ApiError && error.alias === 'signature-not-fresh') needsTimestamp.current = true
      setFailure(errorText(error))
    } finally {
      setBusy(null)
    }
  }

  function programWords({ fault }: SigningError): string {
    if (fault === 'program-not-running') return t('sign.noProgram')
    const key: KeyOf<'signatures'> = `codes.${programCode(fault)}`
    return t(`signatures:${key}`)
  }

  if (begun.isSameFile === false) {
    return (
      <div className={classes.step}>
        <p className={classes.problem} role="alert">
          {t('sign.otherFile')}
        </p>
        <button type="button" className={classes.secondary} onClick={props.onBack}>
          {t('back')}
        </button>
      </div>
    )
  }
  const hash = (
    <>
      <code>{paper.sha256}</code>
      {begun.isSameFile && <span className={classes.good}>{t('sign.sameFile')}</span>}
    </>
  )
  return (
    <div className={classes.step}>
      <h2 ref={title} tabIndex={-1}>
        {t('sign.title')}
      </h2>
      <div className={classes.summary}>
        <Facts
          rows={[
            [t('sign.what'), `${paper.fileName}, ${sizeOf(paper.size)}`],
            [t('sign.to'), begun.recipient],
            [t('sign.hash'), hash],
          ]}
        />
      </div>
      {signer === null && <p className={classes.problem}>{t('sign.notHere')}</p>}
      {signature !== null && busy === null ? (
        <button type="button" className={classes.primary} onClick={() => void commit(signature)}>
          {t('sign.retry')}
        </button>
      ) : (
        <>
          <button
            type="button"
            className={classes.primary}
            aria-disabled={!signer || busy !== null}
            onClick={() => void sign()}
          >
            {t('sign.desktop')}
          </button>
          <p className={classes.hint}>{t('sign.desktopHint')}</p>
        </>
      )}
      <p className={classes.said} role="status">
        {busy && t(`sign.${busy}`)}
        {busy === 'asking' && signer?.windowUrl && (
          <>
            {' '}
            <a href={signer.windowUrl} target="_blank" rel="noreferrer">
              {t('sign.program')}
            </a>
          </>
        )}
      </p>
      <p className={classes.problem} role="alert">
        {failure}
      </p>
      {paper.format === 'pdf' ? (
        isPhone ? (
          <PhoneSigning transactionId={begun.transactionId} onSent={props.onSent} />
        ) : (
          <button type="button" className={classes.secondary} onClick={() => setPhone(true)}>
            {t('sign.phone')}
          </button>
        )
      ) : (
        <p className={classes.hint}>{t('sign.phoneOnly')}</p>
      )}
      <button type="button" className={classes.link} onClick={props.onBack}>
        {t('back')}
      </button>
    </div>
  )
}

/** After these failures the signature may still be valid: it can be sent again. */
const mayGoBetter = [
  'connection-lost',
  'request-timeout',
  'service-unavailable',
  'bad-gateway',
  'gateway-timeout',
  'signature-not-checked',
  'too-many-requests',
  'file-storage-error',
  'unexpected-error',
]
