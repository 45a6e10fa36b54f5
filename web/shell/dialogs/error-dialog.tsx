/**
 * The error dialog, built from the error body: the class of the error decides what is offered and where closing leads
 * (docs/product/errors-and-limits.md).
 */
import { useState } from 'react'
import { Alert, Button, Collapse, Group, Modal } from '@mantine/core'
import { useTexts, type Text } from '../../i18n/use-texts.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { deviceOf } from '@kelisim/domain/signatures/device.ts'
import { usesIn } from '@kelisim/domain/uses/contract.ts'
import type { ApiError } from '../../api/api.ts'
import { pageConfig } from '../../api/page-config.ts'
import { hereAsReturnApp, signInAddress, signInBySignature } from '../../api/sign-in-address.ts'
import { useFailureWords } from '../../ui/page/failure-words.ts'
import { leaveFor, takeWayOut, wayOutOf } from '../../ui/page/way-out.ts'
import { recipientNumber } from '../session/recipient-number.ts'
import { portalAddress } from '../session/portal-address.ts'
import { useWorkplaceIfAny } from '../session/session.ts'
import { UsesList } from '../../uses/uses-list.tsx'
import classes from './error-dialog.module.css'

type DialogWay = { text: string; go: () => void; isMain?: boolean }
/** `close` is what the cross, Escape and a click outside do. */
type Content = { title: string; text: string; ways: DialogWay[]; close: () => void }

export function ErrorDialog({ error, onClose }: { error: ApiError; onClose: () => void }) {
  const { t } = useTexts()
  const { title, text, ways, close } = useContent(error, onClose)
  const [isOpen, setOpen] = useState(false)
  const uses = usesIn(error.parameters)
  const details = uses ? '' : detailsOf(error)
  const requestId = error.parameters['requestId']
  return (
    <Modal
      opened
      onClose={close}
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

function useContent(error: ApiError, onClose: () => void): Content {
  const { t } = useTexts()
  const words = useFailureWords(error)
  const title = words.title ?? t('shell:error.title')
  const text = words.text ?? t('shell:error.unforeseen')
  const workplace = useWorkplaceIfAny()
  const portal = workplace
    ? portalAddress(workplace.organization.Id)
    : (pageConfig.adminPortalUrl ?? pages.portal)
  const way = wayOutOf(error)
  const close = way ? () => takeWayOut(way) : onClose
  const ok: DialogWay = { text: t('actions.ok'), go: close, isMain: true }

  const content: Content = { title, text, ways: [ok], close }

  switch (error.className) {
    case 'OldVersionException':
      return { ...content, ways: [{ ...ok, text: t('actions.continue') }] }
    case 'ConcurrencyException':
      return { ...content, ways: [{ ...ok, text: t('actions.reload') }] }
    case 'PermissionDeniedException':
      return { ...content, ...remedyOf(error, t, portal, onClose) }
    case 'CustomNotFoundException': {
      if (error.alias !== 'group-not-found') return content
      const toPortal = { text: t('shell:error.toPortal'), go: () => leaveFor(portal), isMain: true }
      return { ...content, ways: [toPortal, { ...ok, isMain: false }] }
    }
    case 'UnforeseenException':
      return { ...content, title: t('shell:error.unforeseen') }
    case 'CustomValidationException':
    case 'HttpException':
    case 'OrganizationsNotFoundException':
    case 'UnauthorizedMiddlewareException':
    case 'PermissionDeniedMiddlewareException':
    case 'TemporaryUnavailableException':
      return content
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
  if (supportEmail === undefined) leaveFor('/#contacts')
  else window.location.assign(`mailto:${supportEmail}`)
}

/** What the person can do about missing rights, if there is anything. */
function remedyOf(error: ApiError, t: Text<'common'>, portal: string, onClose: () => void): Partial<Content> {
  switch (error.alias) {
    case 'signing-request-access-failure': {
      const said = error.parameters['number']
      const number = typeof said === 'string' ? said : recipientNumber(window.location.search)
      const recipient = number === null ? '' : ` ${t('shell:error.recipient', { number: inGroups(number) })}`
      // The sign-in service still has a session: it must ask again, or it would redirect straight back.
      const isAnew = true
      const device = deviceOf(navigator.userAgent) === 'Desktop' ? 'desktop' : 'phone'
      return {
        title: t('shell:error.accessFailure'),
        text: t('shell:error.accessFailureText') + recipient,
        ways: [
          {
            text: t('shell:error.signInWithSignature'),
            go: () => leaveFor(signInBySignature(device, hereAsReturnApp(), isAnew)),
            isMain: true,
          },
          {
            text: t('shell:user.changeAccount'),
            go: () => leaveFor(signInAddress(hereAsReturnApp(), isAnew)),
          },
        ],
      }
    }
    case 'organization-restricted': {
      const andClose = (act: () => void) => () => {
        act()
        onClose()
      }
      return {
        title: t('shell:restricted.title'),
        text: t('shell:restricted.text'),
        ways: [
          { text: t('shell:restricted.priceList'), go: andClose(savePriceList), isMain: true },
          { text: t('shell:restricted.manager'), go: andClose(writeToManager) },
        ],
      }
    }
    case 'organization-not-confirmed':
      return {
        title: t('shell:unconfirmed.title'),
        ways: [
          {
            text: t('shell:unconfirmed.confirm'),
            go: () => leaveFor(portal),
            isMain: true,
          },
        ],
      }
    case 'roles-filter':
      return {
        ways: [
          {
            text: t('shell:error.signInAgain'),
            go: () => leaveFor(signInAddress(hereAsReturnApp(), true)),
            isMain: true,
          },
        ],
      }
    default:
      return {}
  }
}
