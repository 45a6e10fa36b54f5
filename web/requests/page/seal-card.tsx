/** A request that everybody has answered: the seal, and what people do with a finished document. */
import { lazy, useState } from 'react'
import { Button } from '@mantine/core'
import { pages } from '@kelisim/domain/pages.ts'
import { isSigningType } from '@kelisim/domain/points/point-types.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { MountOnOpen } from '../../ui/dialogs/mount-on-open.tsx'
import { formatDate, formatShortMoment } from '../../ui/format/dates.ts'
import { CopyIcon, DownloadIcon, SendIcon } from '../../ui/look/icons.tsx'
import { Seal } from '../../ui/look/pictures.tsx'
import { EndingsMenu } from './endings-menu.tsx'
import { useOriginalDownload, useSetDownload } from '../files/file-downloads.ts'
import { useOutputs, useOutputSaving } from '../files/request-outputs.tsx'
import { useStatusLook } from '../shared/request-status.tsx'
import {
  kindOfPoint,
  maySendCopy,
  signedCount,
  sortedActions,
  type RequestAction,
  type RequestView,
} from '../shared/request-view.ts'
import classes from '../shared/request-page.module.css'
import type { RequestKey } from '../shared/queries.ts'
import { useCopyLink } from './copy-link.ts'

const CopyDialog = lazy(() => import('./copy-dialog.tsx').then((m) => ({ default: m.CopyDialog })))

type SealProps = {
  request: RequestView
  requestKey: RequestKey
  onAct: (action: RequestAction) => void
}

export function SealCard({ request, requestKey, onAct }: SealProps) {
  const { t } = useTexts('requests')
  const { word } = useStatusLook({ status: request.status })
  const copy = useCopyLink(request.id)
  const [isCopying, setCopying] = useState(false)
  const count = signedCount(request.points)
  const isPrinted = request.points.some((point) => isSigningType(kindOfPoint(point)))
  return (
    <section className={classes.actCard} data-tone="ok" aria-labelledby="request-says">
      <header>
        <Seal size={52} />
        <div>
          <h2 id="request-says">{word}</h2>
          <p>{count === 0 ? t('seal.completed') : t('seal.signed', { count })}</p>
          <p>{formatShortMoment(completedAt(request))}</p>
        </div>
        <EndingsMenu endings={sortedActions(request).endings} onAct={onAct} />
      </header>
      {count === 0 ? (
        <SaveOriginal request={request} requestKey={requestKey} />
      ) : request.document.format === 'pdf' && isPrinted ? (
        <SavePrintable request={request} requestKey={requestKey} />
      ) : (
        <SaveSet request={request} requestKey={requestKey} />
      )}
      <div className={classes.sealActs}>
        {count > 0 && (
          <Button component="a" variant="default" px={12} href={pages.verify} target="_blank">
            {t('seal.check')}
          </Button>
        )}
        {maySendCopy(request) ? (
          <Button
            variant="default"
            px={12}
            leftSection={<SendIcon size={18} />}
            onClick={() => setCopying(true)}
          >
            {t('copy.sendCopy')}
          </Button>
        ) : (
          <Button variant="default" px={12} leftSection={<CopyIcon size={18} />} onClick={() => void copy()}>
            {t('page.copyLink')}
          </Button>
        )}
      </div>
      {count > 0 && <ProofLine request={request} requestKey={requestKey} />}
      <MountOnOpen isOpen={isCopying}>
        <CopyDialog isOpen={isCopying} requestKey={requestKey} onClose={() => setCopying(false)} />
      </MountOnOpen>
    </section>
  )
}

/** Until when the archive proves the signatures; nothing is shown before they are archived. */
function ProofLine({ request, requestKey }: SaveProps) {
  const { t } = useTexts('requests')
  const proof = useOutputs(requestKey, `${request.currentVersion}`)?.proof
  if (!proof) return null
  return (
    <p className={classes.proof}>
      {t('seal.proved', {
        until: formatDate(proof.holdsUntil),
        from: formatDate(proof.renewedFrom),
      })}
    </p>
  )
}

/** The moment of the last answer. */
function completedAt({ points, changedAt }: RequestView): string {
  const moments = points.flatMap(({ doneAt }) => (doneAt === null ? [] : [doneAt]))
  return moments.toSorted().at(-1) ?? changedAt
}

type SaveProps = Pick<SealProps, 'request' | 'requestKey'>

/** Saves the printable document, which is generated on demand. */
function SavePrintable({ request, requestKey }: SaveProps) {
  const { t } = useTexts('requests')
  const output = useOutputs(requestKey, `${request.currentVersion}`)?.outputs.find(
    ({ kind }) => kind === 'printable',
  )
  const { isBusy, failure, save } = useOutputSaving(
    output ?? { kind: 'printable', state: 'none', failure: null, madeAt: null, fileName: '' },
    requestKey,
  )
  return (
    <>
      <SaveButton isBusy={isBusy} onSave={save} isOff={!output}>
        {t('seal.download')}
      </SaveButton>
      {failure !== null && <p className={classes.wrong}>{failure}</p>}
    </>
  )
}

/** Saves an archive of the document and its signatures, for a document that cannot be printed with them. */
function SaveSet({ request, requestKey }: SaveProps) {
  const { t } = useTexts('requests')
  const download = useSetDownload(requestKey)
  return (
    <SaveButton
      isBusy={download.isPending}
      onSave={() => download.mutate({ process: 'signing', fileName: request.document.fileName })}
    >
      {t('seal.download')}
    </SaveButton>
  )
}

function SaveOriginal({ request, requestKey }: SaveProps) {
  const { t } = useTexts('requests')
  const download = useOriginalDownload(requestKey, request.document)
  return (
    <SaveButton isBusy={download.isPending} onSave={() => download.mutate()}>
      {t('seal.downloadDocument')}
    </SaveButton>
  )
}

function SaveButton(props: { children: string; isBusy: boolean; isOff?: boolean; onSave: () => void }) {
  return (
    <Button
      fullWidth
      size="lg"
      leftSection={<DownloadIcon size={20} />}
      loading={props.isBusy}
      disabled={props.isOff ?? false}
      onClick={props.onSave}
    >
      {props.children}
    </Button>
  )
}
