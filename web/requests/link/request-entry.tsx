/**
 * The page for somebody who may not see the request yet. Opened by the link of an e-mail, it tells who asks for what;
 * opened otherwise, for example by a guessed address, it says nothing about the request. Signing in by a key comes
 * first, because recipients rarely have an account.
 */
import type { ReactNode } from 'react'
import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { unbroken } from '@kelisim/domain/numbers.ts'
import { openByLetter } from '@kelisim/domain/requests/entry-contract.ts'
import { deviceOf } from '@kelisim/domain/signatures/device.ts'
import { call } from '../../api/api.ts'
import { pageConfig } from '../../api/page-config.ts'
import { hereAsReturnApp, signInAddress, signInBySignature } from '../../api/sign-in-address.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { recipientNumber } from '../../shell/session/recipient-number.ts'
import { formatDate } from '../../ui/format/dates.ts'
import { DesktopIcon, PhoneIcon } from '../../ui/look/icons.tsx'
import { Loading } from '../../ui/page/loading.tsx'
import { Card, WindowTitle } from '../../ui/page/page.tsx'
import { CodeEntry } from './code-entry.tsx'
import classes from './request-entry.module.css'

/** What the link of an e-mail tells before signing in. */
type EmailedRequest = z.output<typeof openByLetter.result>

/** The token of the e-mail, from the URL fragment, which browsers never send to a server. */
function emailTokenInAddress(): string | null {
  return new URLSearchParams(window.location.hash.slice(1)).get('letter')
}

export function RequestEntry(props: {
  signingRequestId: string
  /** The name of a signed-in person who may not see the request; null: nobody is signed in. */
  name: string | null
  isRefused: boolean
  /** Null: a code cannot open anything here. */
  entry: Parameters<typeof CodeEntry>[0] | null
}) {
  const { signingRequestId, entry } = props
  const emailToken = emailTokenInAddress()
  const { data, isLoading } = useQuery({
    queryKey: [openByLetter.path, signingRequestId, emailToken],
    queryFn: () => call(openByLetter, { signingRequestId, letter: emailToken! }),
    enabled: entry !== null && emailToken !== null,
    staleTime: Infinity,
    retry: false,
    // No error message: without the facts of the e-mail the page is the one that everybody else gets.
    meta: { showsErrors: true },
  })
  if (isLoading) return <Loading />
  return (
    <section className={classes.entry}>
      <Card>
        <Asked request={data} isRefused={props.isRefused} />
        {props.name !== null && <SignedIn name={props.name} />}
        <Ways asks={data?.asks ?? null} isSomebody={props.name !== null} />
      </Card>
      {/* A person who came from an e-mail has no printed document with a code. */}
      {entry && !data && <CodeEntry {...entry} />}
    </section>
  )
}

function Asked({ request, isRefused }: { request: EmailedRequest | undefined; isRefused: boolean }) {
  const { t } = useTexts('requests-lists')
  const number = request?.number ?? recipientNumber(window.location.search)
  const whose = number !== null && (
    <p className={classes.whose}>{t('shell:error.recipient', { number: unbroken(number) })}</p>
  )
  if (!request) {
    const title = isRefused ? t('shell:error.accessFailure') : t('door.title')
    return (
      <>
        <Heading title={title} />
        <p>{isRefused ? t('shell:error.accessFailureText') : t('door.text')}</p>
        {whose}
      </>
    )
  }
  const { organization, name, asks } = request
  return (
    <>
      <Heading title={t(`door.asks.${asks ?? 'nothing'}`)} />
      {organization && (
        <p className={classes.sender}>
          <b>{organization.shortName}</b>
          <span>
            {t('common:bin')} {unbroken(organization.bin)}
          </span>
          {organization.confirmedAt !== null && (
            <span className={classes.proof}>
              {t('door.confirmed', { date: formatDate(organization.confirmedAt) })}
            </span>
          )}
        </p>
      )}
      <figure className={classes.quote}>
        <figcaption>{t('door.quote')}</figcaption>
        <blockquote>{name}</blockquote>
      </figure>
      {whose}
      {isRefused && <p className={classes.refused}>{t('shell:error.accessFailureText')}</p>}
    </>
  )
}

function Heading({ title }: { title: string }) {
  return (
    <>
      <WindowTitle title={title} />
      <h1>{title}</h1>
    </>
  )
}

function SignedIn({ name }: { name: string }) {
  const { t } = useTexts('requests-lists')
  return <p className={classes.whose}>{t('door.signedInAs', { name })}</p>
}

/** The ways to sign in: by a key first; on a phone by its app, because the desktop program does not run there. */
function Ways({ asks, isSomebody }: { asks: EmailedRequest['asks']; isSomebody: boolean }) {
  const { t } = useTexts('requests-lists')
  const here = hereAsReturnApp()
  const act = asks === 'sign' || asks === 'terminate' ? 'signBy' : 'openBy'
  // The sign-in service still has a session: it must ask again, or it would redirect straight back.
  const account = signInAddress(here, isSomebody)
  if (!pageConfig.signer) {
    return (
      <div className={classes.ways}>
        <Way href={account} isMain>
          {isSomebody ? t('door.changeAccount') : t('door.signIn')}
        </Way>
      </div>
    )
  }
  const isOnPhone = deviceOf(navigator.userAgent) !== 'Desktop'
  const desktop = (
    <Way
      key="desktop"
      href={signInBySignature('desktop', here, isSomebody)}
      isMain={!isOnPhone}
      icon={<DesktopIcon size={20} />}
    >
      {t(`door.${act}.desktop`)}
    </Way>
  )
  const phone = (
    <Way
      key="phone"
      href={signInBySignature('phone', here, isSomebody)}
      isMain={isOnPhone}
      icon={<PhoneIcon size={20} />}
    >
      {t(`door.${act}.phone`)}
    </Way>
  )
  return (
    <>
      <div className={classes.ways}>{isOnPhone ? [phone, desktop] : [desktop, phone]}</div>
      <p className={classes.how}>{t('door.how')}</p>
      <p className={classes.account}>
        {!isSomebody && <>{t('door.haveAccount')} </>}
        <Anchor underline="always" href={account}>
          {isSomebody ? t('door.changeAccount') : t('door.signIn')}
        </Anchor>
      </p>
    </>
  )
}

function Way(props: { href: string; isMain: boolean; icon?: ReactNode; children: ReactNode }) {
  return (
    <Button
      component="a"
      size="lg"
      href={props.href}
      variant={props.isMain ? 'filled' : 'default'}
      leftSection={props.icon}
    >
      {props.children}
    </Button>
  )
}
