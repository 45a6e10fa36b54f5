/**
 * The e-mails that the demo would have sent. Two panes, one at a time on a phone; the open e-mail is the hash of the
 * address, so that the back button closes it.
 */
import { useState } from 'react'
import { Button, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { longestEmail } from '@kelisim/domain/email-address.ts'
import { Email } from '@kelisim/domain/fields.ts'
import { type getMails, mailPage } from '@kelisim/domain/mail/contract.ts'
import { pages } from '@kelisim/domain/pages.ts'
import type * as z from 'zod/mini'
import { useTexts } from '../i18n/use-texts.ts'
import { pageConfig } from '../api/page-config.ts'
import { formatMoment } from '../ui/format/dates.ts'
import { ChevronLeftIcon, SearchIcon } from '../ui/look/icons.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { Paging } from '../ui/list/paging.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Page } from '../ui/page/page.tsx'
import { EmptyPicture } from '../ui/look/pictures.tsx'
import { PageNotFound, State } from '../ui/page/states.tsx'
import classes from './mailbox.module.css'
import { mailsQuery } from './queries.ts'

type Mail = z.output<typeof getMails.result>['items'][number]

export function MailboxPage() {
  return pageConfig.isDemo ? <Mailbox /> : <PageNotFound />
}

/** Short, so that a new e-mail appears soon after the action that caused it. */
const refreshEvery = 5000

function Mailbox() {
  const { t } = useTexts('portal')
  const position = useListSearch()
  const openId = useLocation({ select: (location) => location.hash })
  const { data, error, refetch } = useQuery({
    ...mailsQuery(position),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery,
  })
  const open = data?.items.find((mail) => mail.id === openId)
  return (
    <Page title={t('mailbox.title')} lead={t('mailbox.lead')}>
      <div className={open ? classes.reading : classes.panes}>
        <section className={classes.emails} aria-label={t('mailbox.emails')}>
          <RecipientField recipients={[...new Set(data?.items.map((mail) => mail.recipient))]} />
          {error && <LoadFailed error={error} onRetry={() => void refetch()} />}
          {!data && !error && <LoadingLines />}
          {data?.totalCount === 0 && (
            <p className={classes.nothing}>{t(position.name ? 'mailbox.nothingFound' : 'mailbox.empty')}</p>
          )}
          <ul className={classes.list}>
            {data?.items.map((mail) => (
              <li key={mail.id}>
                <EmailLink mail={mail} isOpen={mail === open} />
              </li>
            ))}
          </ul>
          {data && <Paging totalCount={data.totalCount} />}
        </section>
        <section className={classes.email} aria-label={open?.subject ?? t('mailbox.choose')}>
          {open ? (
            <EmailView mail={open} />
          ) : (
            <State picture={<EmptyPicture />} title={t('mailbox.choose')} />
          )}
        </section>
      </div>
    </Page>
  )
}

/** Filters e-mails by a complete address; offers the recipients on the screen. */
function RecipientField({ recipients }: { recipients: string[] }) {
  const { t } = useTexts('portal')
  const { name, change } = useListSearch()
  const [typed, setTyped] = useState(name)
  const isWhole = Email.safeParse(typed).success
  return (
    <>
      <TextInput
        type="search"
        inputMode="email"
        list="mailbox-recipients"
        label={t('mailbox.recipient')}
        leftSection={<SearchIcon size={18} />}
        description={typed !== '' && !isWhole ? t('mailbox.recipientHelp') : undefined}
        inputWrapperOrder={['label', 'input', 'description']}
        value={typed}
        maxLength={longestEmail}
        onChange={(event) => {
          const next = event.currentTarget.value.trim()
          setTyped(next)
          const wanted = Email.safeParse(next).data ?? ''
          if (wanted !== name) change({ name: wanted || undefined, page: undefined })
        }}
      />
      <datalist id="mailbox-recipients">
        {recipients.map((recipient) => (
          <option key={recipient} value={recipient}>
            {recipient}
          </option>
        ))}
      </datalist>
    </>
  )
}

function EmailLink({ mail, isOpen }: { mail: Mail; isOpen: boolean }) {
  return (
    <Link
      className={isOpen ? classes.open : classes.link}
      to={pages.mailbox}
      search
      hash={mail.id}
      {...(isOpen && { 'aria-current': 'true' as const })}
    >
      <b>{mail.subject}</b>
      <span>{mail.recipient}</span>
      <small>{formatMoment(mail.createdAt)}</small>
    </Link>
  )
}

function EmailView({ mail }: { mail: Mail }) {
  const { t } = useTexts('portal')
  return (
    <>
      <header className={classes.head}>
        <Button
          className={classes.back ?? ''}
          variant="subtle"
          leftSection={<ChevronLeftIcon size={18} />}
          onClick={() => window.history.back()}
        >
          {t('mailbox.back')}
        </Button>
        <h2>{mail.subject}</h2>
        <p>
          {t('mailbox.recipient')}: {mail.recipient}
          <br />
          {formatMoment(mail.createdAt)}
        </p>
      </header>
      <iframe
        key={mail.id}
        className={classes.frame}
        src={mailPage(mail.id)}
        title={mail.subject}
        lang={mail.language}
        sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
      />
    </>
  )
}
