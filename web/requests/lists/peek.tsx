/** A quick look at the document of a row, in a drawer beside the list. */
import { Button, Drawer } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { RequestPath } from '@kelisim/domain/requests/list-contract.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { ShownDocument } from '../files/shown-document.tsx'
import { RequestStatusMark } from '../shared/request-status.tsx'
import { useRequest } from '../shared/use-request.ts'
import { awaitedInLine, type Line } from './list-line.ts'
import classes from './lists.module.css'

export function Peek(props: { line: Line; path: RequestPath; isOpen: boolean; onClose: () => void }) {
  const { t } = useTexts('requests-lists')
  const { line, path, isOpen, onClose } = props
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="min(760px, 100vw)"
      title={line.name}
      // The <header> of the drawer must not count as a second banner landmark of the page.
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      onKeyDown={(event) => {
        const isOnControl = event.target instanceof Element && event.target.closest('a, button, input')
        if (event.key !== ' ' || isOnControl) return
        event.preventDefault()
        onClose()
      }}
    >
      <p className={classes.peek}>
        <RequestStatusMark status={line.status} awaited={awaitedInLine(line)} />
        {line.organization.shortName}
        <Button
          variant="default"
          renderRoot={(rest) => (
            <Link to="/signingRequests/$route/$id" params={{ route: path, id: line.id }} {...rest} />
          )}
        >
          {t('queue.page')}
        </Button>
      </p>
      <PeekedDocument id={line.id} />
    </Drawer>
  )
}

function PeekedDocument({ id }: { id: string }) {
  const { organization } = useWorkplace()
  const requestKey = { organizationId: organization.Id, signingRequestId: id }
  const { request, error, refetch } = useRequest(requestKey)
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!request) return <LoadingLines count={8} />
  return <ShownDocument key={id} request={request} requestKey={requestKey} />
}
