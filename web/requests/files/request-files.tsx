/** All files of a request: the document, its proofs, and the signatures in a collapsed list. */
import { useState, type ReactNode } from 'react'
import { Button, Collapse, CopyButton, UnstyledButton } from '@mantine/core'
import type { OutputKind } from '@kelisim/domain/outputs/contract.ts'
import type { SignatureForm } from '@kelisim/domain/points/signature-form.ts'
import type { ProcessKind } from '@kelisim/domain/requests/status.ts'
import { formatSize } from '../../documents/shared/size.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatMoment } from '../../ui/format/dates.ts'
import { CheckIcon, ChevronDownIcon, CopyIcon, WarningIcon } from '../../ui/look/icons.tsx'
import { Card } from '../../ui/page/page.tsx'
import {
  useElectronicDownload,
  useOriginalDownload,
  useSetDownload,
  useSignatureDownload,
  useTerminatingDownload,
} from './file-downloads.ts'
import { File } from './request-file.tsx'
import { OutputFile, useOutputs } from './request-outputs.tsx'
import classes from '../shared/request-page.module.css'
import { EarlierDocuments } from './earlier-documents.tsx'
import {
  acceptedSignatures,
  signedCount,
  type RequestView,
  type SignatureOf,
} from '../shared/request-view.ts'
import type { RequestKey } from '../shared/queries.ts'

export function RequestFiles({ request, requestKey }: { request: RequestView; requestKey: RequestKey }) {
  const { t } = useTexts('requests')
  const { t: ofDocuments } = useTexts('documents')
  const { document, points, termination } = request
  const terminatingName = termination?.fileName ?? ''
  const original = useOriginalDownload(requestKey, document)
  const terminating = useTerminatingDownload(requestKey, terminatingName)
  const { outputs = [], isPrintUnsupported = false } =
    useOutputs(requestKey, `${request.currentVersion}`) ?? {}
  const made = (...kinds: OutputKind[]) =>
    outputs
      .filter(({ kind }) => kinds.includes(kind))
      .map((output) => <OutputFile key={output.kind} output={output} requestKey={requestKey} />)
  const signed = acceptedSignatures(points)
  const signers = signedCount(points)
  const terminated = acceptedSignatures(termination?.points ?? [])
  const count = signed.length + terminated.length
  const isGone = document.destroyedAt !== null
  return (
    <Card title={t('files.title')}>
      {!isGone && (
        <Files title={t('page.document')}>
          <File
            name={t('files.original')}
            note={`${document.fileName} · ${formatSize(document.size, ofDocuments)}`}
            isBusy={original.isPending}
            onSave={() => original.mutate()}
          />
          {made('printable')}
          {isPrintUnsupported && signers > 0 && (
            <li>
              <WarningIcon size={20} />
              <span>
                {t('outputs.printable')}
                <small>{t('outputs.unsupported')}</small>
              </span>
            </li>
          )}
          {termination && (
            <File
              name={t('files.terminating')}
              note={terminatingName}
              isBusy={terminating.isPending}
              onSave={() => terminating.mutate()}
            />
          )}
          {made('terminating')}
        </Files>
      )}
      <Checksum value={document.sha256} />
      {!isGone && request.revisions.length > 1 && (
        <Files title={t('correcting.earlier')}>
          <EarlierDocuments
            revisions={request.revisions.slice(0, -1)}
            current={request.revision}
            requestKey={requestKey}
          />
        </Files>
      )}
      {!isGone && (signers > 0 || outputs.length > 0) && (
        <Files title={t('files.proofs')}>
          <Proofs
            process="signing"
            count={signers}
            fileName={document.fileName}
            form={points.find(({ signatureForm }) => signatureForm !== 'cms')?.signatureForm ?? 'cms'}
            requestKey={requestKey}
          />
          <Proofs
            process="terminating"
            count={terminated.length}
            fileName={terminatingName}
            form="cms"
            requestKey={requestKey}
          />
          {made('report', 'evidence')}
        </Files>
      )}
      {count > 0 && (
        <Folded title={t('files.signatures', { count })}>
          <Files title={t('files.signatures', { count })} isHeard>
            <Signatures
              signatures={signed}
              requestKey={requestKey}
              fileName={document.fileName}
              kind="signature"
            />
            <Signatures
              signatures={terminated}
              requestKey={requestKey}
              fileName={terminatingName}
              kind="terminatingSignature"
            />
          </Files>
        </Folded>
      )}
    </Card>
  )
}

function Files(props: {
  title: string
  /** The title is only the accessible name: the button that unfolds the list shows it already. */
  isHeard?: boolean
  children: ReactNode
}) {
  return (
    <>
      {!props.isHeard && <h3 className={classes.filesTitle}>{props.title}</h3>}
      <ul className={classes.files} aria-label={props.title}>
        {props.children}
      </ul>
    </>
  )
}

function Folded({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <h3 className={classes.filesTitle}>
        <UnstyledButton className={classes.folder} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {title}
          <ChevronDownIcon size={16} />
        </UnstyledButton>
      </h3>
      <Collapse expanded={isOpen}>{isOpen && children}</Collapse>
    </>
  )
}

/** A button that copies the checksum: 64 digits are compared by a program, not by eye, so they are not shown. */
function Checksum({ value }: { value: string }) {
  const { t } = useTexts('requests')
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          className={classes.checksumCopy ?? ''}
          variant="subtle"
          size="compact-sm"
          leftSection={copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
          onClick={copy}
        >
          {copied ? t('files.checksumCopied') : t('files.copyChecksum')}
        </Button>
      )}
    </CopyButton>
  )
}

const electronicTexts = {
  cms: { name: 'electronic', about: 'electronicAbout' },
  pades: { name: 'signedPdf', about: 'signedPdfAbout' },
  xades: { name: 'signedXml', about: 'signedXmlAbout' },
} as const
const terminatingTexts = { name: 'terminatingElectronic', about: 'electronicAbout' } as const

/** Files for checks by other programs: one file with the document and its signatures, and an archive of both. */
function Proofs(props: {
  process: ProcessKind
  count: number
  fileName: string
  form: SignatureForm
  requestKey: RequestKey
}) {
  const { t } = useTexts('requests')
  const electronic = useElectronicDownload(props.requestKey)
  const set = useSetDownload(props.requestKey)
  const { process, fileName } = props
  const isSigning = process === 'signing'
  if (props.count === 0) return null
  const { name, about } = isSigning ? electronicTexts[props.form] : terminatingTexts
  return (
    <>
      <File
        name={t(`files.${name}`)}
        note={t(`files.${about}`)}
        isBusy={electronic.isPending}
        onSave={() => electronic.mutate({ process, fileName })}
      />
      <File
        name={t(isSigning ? 'files.signedSet' : 'files.terminatingSet')}
        note={`${fileName}.zip`}
        isBusy={set.isPending}
        onSave={() => set.mutate({ process, fileName })}
      />
    </>
  )
}

function Signatures(props: {
  signatures: readonly SignatureOf[]
  requestKey: RequestKey
  fileName: string
  kind: 'signature' | 'terminatingSignature'
}) {
  const { t } = useTexts('requests')
  const download = useSignatureDownload(props.requestKey, props.fileName)
  return props.signatures.map(({ id, certificate, by, receivedAt }) => (
    <File
      key={id}
      name={t(`files.${props.kind}`, { name: certificate?.fullName || by.fullName })}
      note={formatMoment(receivedAt)}
      isBusy={download.isPending && download.variables === id}
      onSave={() => download.mutate(id)}
    />
  ))
}
