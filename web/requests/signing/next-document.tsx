/** After a signature: the next document that waits for this person, and how many there are. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { emptyId } from '@kelisim/domain/fields.ts'
import { requestPage } from '@kelisim/domain/pages.ts'
import { getInbox } from '@kelisim/domain/requests/entry-contract.ts'
import { getRequests, signedStatuses } from '@kelisim/domain/requests/list-contract.ts'
import { call } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import classes from './signing.module.css'

type Next = { id: string; count: number } | null

/** More than one row is read, because the list may still contain documents that were signed just now. */
const lookedAt = 20

async function findNext(organizationId: string, signedIds: readonly string[]): Promise<Next> {
  const { items, totalCount } = await waitingFor(organizationId)
  const others = items.filter(({ id }) => !signedIds.includes(id))
  const [first] = others
  return first ? { id: first.id, count: totalCount - (items.length - others.length) } : null
}

async function waitingFor(organizationId: string): Promise<{ items: { id: string }[]; totalCount: number }> {
  const page = { skip: 0, take: lookedAt }
  if (organizationId !== emptyId) {
    const signedStatus = signedStatuses.of('UnSigned')
    return call(getRequests, { organizationId, route: 'incomings', signedStatus, ...page })
  }
  const { items } = await call(getInbox, page)
  const waiting = items.filter(({ isWaiting }) => isWaiting)
  return { items: waiting, totalCount: waiting.length }
}

export function NextDocument(props: {
  organizationId: string
  signedIds: readonly string[]
  onLeave: () => void
}) {
  const { t } = useTexts('requests')
  const { organizationId, signedIds, onLeave } = props
  const { data: next, isPending } = useQuery({
    queryKey: ['next to sign', organizationId, ...signedIds],
    queryFn: () => findNext(organizationId, signedIds),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    // No error message: without a next document the dialog is closed as usual.
    meta: { showsErrors: true },
  })
  if (isPending) {
    // An invisible placeholder; the number stands for the usual width.
    return (
      <Button className={classes.place} aria-hidden disabled>
        {t('signing.next', { number: 10 })}
      </Button>
    )
  }
  if (!next) return null
  const text = t('signing.next', { number: next.count })
  if (organizationId === emptyId) {
    return (
      <Button component="a" href={requestPage(next.id)}>
        {text}
      </Button>
    )
  }
  return (
    <Button
      onClick={onLeave}
      renderRoot={(rest) => (
        <Link
          to="/signingRequests/$route/$id"
          params={{ route: 'incomings', id: next.id }}
          search={{ organizationId }}
          {...rest}
        />
      )}
    >
      {text}
    </Button>
  )
}
