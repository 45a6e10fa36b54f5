/**
 * The error dialog, built from the error body: the class of the error decides what is offered and where closing leads
 * (docs/product/errors-and-limits.md).
 */
import { useState } from 'react'
import { Alert, Button, Collapse, Group, Modal } from '@mantine/core'
import { useTexts, type Text } from '../../i18n/use-texts.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { usesIn } from '@kelisim/domain/uses/contract.ts'
import type { ApiError } from '../../api/api.ts'
import { pageConfig } from '../../api/page-config.ts'
import { clearDirty } from '../../ui/form/dirty.ts'
import { recipientNumber } from '../session/recipient-number.ts'
import { hereAsReturnApp, signInAddress } from '../session/session.ts'
import { UsesList } from '../../uses/uses-list.tsx'
import classes from './error-dialog.module.css'

type Way = { text: string; go: () => void; isMain?: boolean }
type Content = { title: string; text: string; ways: Way[] }

export function ErrorDialog({ error, onClose }: { error: ApiError; onClose: () => void }) {
  const { t } = useTexts()
  const { title, text, ways } = useContent(error, onClose)
  const [isOpen, setOpen] = useState(false)
  const uses = usesIn(error.parameters)
  const details = uses ? '' : detailsOf(error)
  const requestId = error.parameters['requestId']
  return (
    <Modal
      opened
      onClose={ways[0]?.go ?? onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
      size={520}
    >
      <p>{text}</p>
      {uses && (
        <div className={classes.uses}>
          <UsesList {...uses} onOpen={onClose} />
        </div>
      )}
      {typeof requestId === 'string' && (
        <Alert mt={16}>{t('shell:error.requestId', { id: requestId })}</Alert>
      )}
      {details !== '' && (
        <>
          <Button
            mt={16}
            variant="subtle"
            size="compact-sm"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {t('actions.details')}
          </Button>
          <Collapse expanded={isOpen}>
            <pre style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontSize: 13 }}>{details}</pre>
          </Collapse>
        </>
      )}
      <Group mt={24} justify="flex-end">
        {ways.map((way) => (
          <Button key={way.text} {...(!way.isMain && { variant: 'default' })} onClick={way.go}>
            {way.text}
          </Button>
        ))}
      </Group>
    </Modal>
  )
}

/** Parameters that add information to the text. */
function detailsOf({ parameters }: ApiError): string {
  const { requestId: _, ...rest } = parameters
  return Object.entries(rest)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}

/** The dialog has already asked, so the browser need not ask again; what was typed is kept as a draft. */
function leaving(go: () => void): () => void {
  return () => {
    clearDirty()
    go()
  }
}

const reload = leaving(() => window.location.reload())
const to = (address: string) => leaving(() => window.location.assign(address))

function useContent(error: ApiError, onClose: () => void): Content {
  const { t, find } = useTexts()
  const known = find(`errors:${error.alias}.text`, { ...error.parameters })
  const text = known ?? (error.message || t('shell:error.unforeseen'))
  const ok: Way = { text: t('actions.ok'), go: onClose, isMain: true }

  switch (error.className) {
    case 'OldVersionException':
      return {
        title: t('shell:error.oldVersion'),
        text: t('shell:error.oldVersionText'),
        ways: [{ text: t('actions.continue'), go: reload, isMain: true }],
      }
    case 'OrganizationsNotFoundException':
    case 'UnauthorizedMiddlewareException':
      return { title: t('shell:error.title'), text, ways: [{ ...ok, go: reload }] }
    case 'PermissionDeniedMiddlewareException':
      return { title: t('shell:error.title'), text, ways: [{ ...ok, go: to('/login') }] }
    case 'PermissionDeniedException':
      return permissionContent(error, text, t)
    case 'CustomNotFoundException':
      return {
        title: t('shell:error.title'),
        text,
        ways: [
          ...(error.alias === 'group-not-found'
            ? [
                {
                  text: t('shell:error.toPortal'),
                  go: to(pageConfig.adminPortalUrl ?? '/portal'),
                  isMain: true,
                },
              ]
            : []),
          ok,
        ],
      }
    case 'TemporaryUnavailableException':
      return { title: t('shell:error.title'), text, ways: [ok] }
    case 'ConcurrencyException':
      return {
        title: t('shell:error.title'),
        text,
        ways: [{ text: t('actions.reload'), go: reload, isMain: true }],
      }
    case 'CustomValidationException':
    case 'HttpException':
      return { title: find(`errors:${error.alias}.title`) ?? t('shell:error.title'), text, ways: [ok] }
    case 'UnforeseenException':
      return { title: t('shell:error.unforeseen'), text, ways: [ok] }
  }
}

/** Downloads the price list with the organisation's tariff marked; the page stays. */
function savePriceList(): void {
  const organizationId = new URLSearchParams(window.location.search).get('organizationId')
  const whose = organizationId === null ? '' : `&organizationId=${encodeURIComponent(organizationId)}`
  window.location.assign(`/files/price-list.pdf?download${whose}`)
}

function writeToManager(): void {
  const { supportEmail } = pageConfig
  if (supportEmail === undefined) to('/#contacts')()
  else window.location.assign(`mailto:${supportEmail}`)
}

function permissionContent(error: ApiError, text: string, t: Text<'common'>): Content {
  const toIncoming: Way = { text: t('actions.ok'), go: to(pages.incomingRequests), isMain: true }
  switch (error.alias) {
    case 'signing-request-access-failure': {
      const said = error.parameters['number']
      const number = typeof said === 'string' ? said : recipientNumber(window.location.search)
      const recipient = number === null ? '' : ` ${t('shell:error.recipient', { number: inGroups(number) })}`
      // The sign-in service still has a session: it must ask again, or it would redirect straight back.
      const anew = to(signInAddress(hereAsReturnApp(), true))
      return {
        title: t('shell:error.accessFailure'),
        text: t('shell:error.accessFailureText') + recipient,
        ways: [
          { text: t('shell:error.signInWithSignature'), go: anew, isMain: true },
          { text: t('shell:user.changeAccount'), go: anew },
        ],
      }
    }
    case 'organization-restricted':
      return {
        title: t('shell:restricted.title'),
        text: t('shell:restricted.text'),
        ways: [
          { text: t('shell:restricted.priceList'), go: savePriceList, isMain: true },
          { text: t('shell:restricted.manager'), go: writeToManager },
        ],
      }
    case 'agreement-needed':
      return {
        title: t('shell:error.rights'),
        text,
        ways: [{ text: t('actions.ok'), go: to('/agreementPage/validateauth'), isMain: true }],
      }
    case 'organization-not-confirmed':
      return {
        title: t('shell:unconfirmed.title'),
        text,
        ways: [
          {
            text: t('shell:unconfirmed.confirm'),
            go: to(pageConfig.adminPortalUrl ?? '/portal'),
            isMain: true,
          },
        ],
      }
    default:
      return { title: t('shell:error.rights'), text, ways: [toIncoming] }
  }
}
