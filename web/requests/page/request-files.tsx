/** All files of a request: the document, every signature, the terminating document and its signatures. */
import { useMutation } from '@tanstack/react-query'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { downloadElectronic } from '@kelisim/domain/outputs/electronic-contract.ts'
import {
  downloadRequestFile,
  downloadSignature,
  downloadSignedSet,
  type signedSets,
} from '@kelisim/domain/requests/files-contract.ts'
import type { OutputKind } from '@kelisim/domain/outputs/contract.ts'
import { formatSize } from '../../documents/shared/size.ts'
import { fetchFile, saveBytes } from '../../api/file-api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatMoment } from '../../ui/format/dates.ts'
import { WarningIcon } from '../../ui/look/icons.tsx'
import { Card } from '../../ui/page/page.tsx'
import { File } from './request-file.tsx'
import { OutputFile, useOutputs } from './request-outputs.tsx'
import classes from '../shared/request-page.module.css'
import type { PointView, RequestView } from '../shared/request-view.ts'
import type { RequestKey } from '../shared/queries.ts'

export function RequestFiles({ request, requestKey }: { request: RequestView; requestKey: RequestKey }) {
  const { t } = useTexts('requests')
  const { t: ofDocuments } = useTexts('documents')
  const { document, points, termination } = request
  const original = useFileDownload(requestKey, document.fileName, mediaTypes[document.format])
  const terminatingName = termination?.fileName ?? ''
  const terminating = useFileDownload(requestKey, terminatingName, mediaTypes.pdf)
  const sets = useMutation({
    mutationFn: async (process: (typeof signedSets)[number]) => {
      const ofSet = process === 'signing' ? document.fileName : terminatingName
      const bytes = await fetchFile(downloadSignedSet, { ...requestKey, process })
      saveBytes(bytes, `${ofSet}.zip`, 'application/zip')
    },
  })
  const electronic = useMutation({
    mutationFn: async (process: (typeof signedSets)[number]) => {
      const ofProcess = process === 'signing' ? document.fileName : terminatingName
      const bytes = await fetchFile(downloadElectronic, { ...requestKey, process })
      saveBytes(bytes, `${ofProcess}.cms`, 'application/pkcs7-mime')
    },
  })
  const electronicFile = (process: (typeof signedSets)[number]) => (
    <File
      name={t(process === 'signing' ? 'files.electronic' : 'files.terminatingElectronic')}
      note={t('files.electronicAbout')}
      isBusy={electronic.isPending && electronic.variables === process}
      onSave={() => electronic.mutate(process)}
    />
  )
  const size = formatSize(document.size, ofDocuments)
  const { outputs = [], isPrintUnsupported = false } =
    useOutputs(requestKey, `${request.currentVersion}`) ?? {}
  const made = (...kinds: OutputKind[]) =>
    outputs
      .filter(({ kind }) => kinds.includes(kind))
      .map((output) => <OutputFile key={output.kind} output={output} requestKey={requestKey} />)
  return (
    <Card title={t('files.title')}>
      <ul className={classes.files} aria-label={t('files.title')}>
        <File
          name={t('files.original')}
          note={`${document.fileName} · ${size}`}
          isBusy={original.isPending}
          onSave={() => original.mutate('original')}
        />
        {made('printable')}
        {isPrintUnsupported && hasSignatures(points) && (
          <li>
            <WarningIcon size={20} />
            <span>
              {t('outputs.printable')}
              <small>{t('outputs.unsupported')}</small>
            </span>
          </li>
        )}
        {hasSignatures(points) && electronicFile('signing')}
        {made('report', 'evidence')}
        <Signatures points={points} requestKey={requestKey} fileName={document.fileName} kind="signature" />
        {hasSignatures(points) && (
          <File
            name={t('files.signedSet')}
            note={`${document.fileName}.zip`}
            isBusy={sets.isPending && sets.variables === 'signing'}
            onSave={() => sets.mutate('signing')}
          />
        )}
        {termination && (
          <>
            <File
              name={t('files.terminating')}
              note={terminatingName}
              isBusy={terminating.isPending}
              onSave={() => terminating.mutate('terminating')}
            />
            {made('terminating')}
            {hasSignatures(termination.points) && electronicFile('terminating')}
            <Signatures
              points={termination.points}
              requestKey={requestKey}
              fileName={terminatingName}
              kind="terminatingSignature"
            />
            {hasSignatures(termination.points) && (
              <File
                name={t('files.terminatingSet')}
                note={`${terminatingName}.zip`}
                isBusy={sets.isPending && sets.variables === 'terminating'}
                onSave={() => sets.mutate('terminating')}
              />
            )}
          </>
        )}
      </ul>
      <p className={classes.checksum}>
        {t('files.checksum')}: <code>{document.sha256}</code>
      </p>
    </Card>
  )
}

function hasSignatures(points: readonly PointView[]): boolean {
  return points.some(({ signatures }) => signatures.some(({ state }) => state === 'accepted'))
}

function Signatures(props: {
  points: readonly PointView[]
  requestKey: RequestKey
  fileName: string
  kind: 'signature' | 'terminatingSignature'
}) {
  const { t } = useTexts('requests')
  const download = useSignatureDownload(props.requestKey, props.fileName)
  return props.points
    .flatMap(({ signatures }) => signatures)
    .filter(({ state }) => state === 'accepted')
    .map(({ id, certificate, by, receivedAt }) => (
      <File
        key={id}
        name={t(`files.${props.kind}`, { name: certificate?.fullName || by.fullName })}
        note={formatMoment(receivedAt)}
        isBusy={download.isPending && download.variables === id}
        onSave={() => download.mutate(id)}
      />
    ))
}

function useFileDownload(requestKey: RequestKey, name: string, mediaType: string) {
  return useMutation({
    mutationFn: async (file: 'original' | 'terminating') =>
      saveBytes(await fetchFile(downloadRequestFile, { ...requestKey, file }), name, mediaType),
  })
}

export function useSignatureDownload(requestKey: RequestKey, fileName: string) {
  return useMutation({
    mutationFn: async (signatureId: string) =>
      saveBytes(
        await fetchFile(downloadSignature, { ...requestKey, signatureId }),
        `${fileName}.cms`,
        'application/pkcs7-signature',
      ),
  })
}
