/** The start of a sending page: the document named by the address, or an ended request that is sent again. */
import { useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import type { getSendingAgain } from '@kelisim/domain/requests/sending/again-contract.ts'
import { isPast } from '@kelisim/domain/requests/access-code.ts'
import { documentQuery } from '../../documents/queries.ts'
import type { DocumentView } from '../../documents/shared/document-acts.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { idOf, useAddress } from '../../ui/browser/address.ts'
import { formatDate } from '../../ui/format/dates.ts'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import type { AccessCode } from '../shared/access-code.tsx'
import { useActorName } from '../shared/actor-name.ts'
import { endingComments, insteadKey, OtherRequestLink } from '../shared/other-request.tsx'
import { requestQuery } from '../shared/queries.ts'
import { sendingAgainQuery } from './queries.ts'
import { nameOfFile } from './send-document.tsx'
import classes from './send.module.css'

type SendingAgain = z.output<typeof getSendingAgain.result>

export type SendingStart = {
  document: DocumentView | null
  /** The ended request that is sent again; null: a new one is sent. */
  again: SendingAgain | null
}

/** Loads the document or request named by the address; without either the person chooses a document. */
export function WithStart({ children }: { children: (start: SendingStart) => ReactNode }) {
  const { params, search } = useAddress()
  const { organization } = useWorkplace()
  const followsId = idOf(search.follows)
  // The key resets the page when it is opened for something else.
  const key = `${organization.Id}:${params.id ?? ''}:${followsId ?? ''}`
  if (followsId === undefined) {
    return (
      <OfDocument key={key} id={idOf(params.id)}>
        {(document) => children({ document, again: null })}
      </OfDocument>
    )
  }
  return (
    <OfEnded key={key} followsId={followsId}>
      {(again) => (
        <OfDocument id={again.documentId ?? undefined}>
          {(document) => (
            <>
              <EndedRequest signingRequestId={again.id} />
              {children({ document, again })}
            </>
          )}
        </OfDocument>
      )}
    </OfEnded>
  )
}

function OfDocument(props: {
  id: string | undefined
  children: (document: DocumentView | null) => ReactNode
}) {
  const { organization } = useWorkplace()
  const { id } = props
  const { data, isPending } = useQuery({
    ...documentQuery(organization.Id, id ?? ''),
    enabled: id !== undefined,
  })
  if (id !== undefined && isPending) return <LoadingLines />
  return props.children(data ?? null)
}

function OfEnded(props: { followsId: string; children: (again: SendingAgain) => ReactNode }) {
  const { organization } = useWorkplace()
  const { data, error, refetch } = useQuery(sendingAgainQuery(organization.Id, props.followsId))
  // Kept once loaded: after sending, the server refuses this query while the page is still shown.
  const [kept, setKept] = useState(data)
  if (data && !kept) setKept(data)
  const again = kept ?? data
  if (again) return props.children(again)
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  return <LoadingLines />
}

/** The request that is sent again and why it ended, which is what the author has to correct. */
function EndedRequest({ signingRequestId }: { signingRequestId: string }) {
  const { t } = useTexts('requests')
  const { organization } = useWorkplace()
  const actorName = useActorName()
  const requestKey = { organizationId: organization.Id, signingRequestId }
  const { data: request } = useQuery(requestQuery(requestKey))
  if (!request) return null
  return (
    <div className={classes.ended}>
      <p>
        {t(insteadKey(request))} <OtherRequestLink other={request} from={request} requestKey={requestKey} />
      </p>
      {endingComments(request).map(({ by, comment }) => (
        <p key={`${by.fullName}:${comment}`}>{t('about.said', { name: actorName(by), comment })}</p>
      ))}
    </div>
  )
}

const noCode: AccessCode = { additionalComponents: 0, accessCodeExpirationDate: null }

/** The initial values of every kind of sending. */
export function newSending({ document, again }: SendingStart) {
  const today = dateInAlmaty(new Date())
  const code = again?.generationSetting ?? noCode
  return {
    documentId: document?.id ?? '',
    name: again?.name ?? (document ? nameOfFile(document.name) : ''),
    description: again?.description ?? '',
    signingDate: formatDate(again?.signingDate ?? today),
    /** Empty: any time. */
    expiresOn: '',
    isTimestampRequired: again?.isTimestampRequired ?? false,
    generationSetting: code,
    /** The date field of the access code holds no date, or one that has passed. */
    isCodeWrong: isPast(code.accessCodeExpirationDate, today),
    classificatorsV2: again?.classificatorsV2 ?? [],
    /** Empty: none. */
    kindId: again?.kindId ?? '',
    /** Generated here, so that a retry after a lost response sends the document once. */
    signingRequestId: crypto.randomUUID() as string,
  }
}

/** Removes a past expiry date of the access code, for a form that does not show the access code. */
export function withoutPastCodeDate(values: ReturnType<typeof newSending>): ReturnType<typeof newSending> {
  if (!values.isCodeWrong) return values
  const generationSetting = { ...values.generationSetting, accessCodeExpirationDate: null }
  return { ...values, generationSetting, isCodeWrong: false }
}

/** The id of the draft of a sending form. */
export function draftOf({ document, again }: SendingStart): string {
  return again ? `again:${again.id}` : (document?.id ?? 'new')
}
