/** `/developers`: how programs use the service, with an example of every call; a test runs the examples. */
import { Button, CopyButton } from '@mantine/core'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Page } from '../../ui/page/page.tsx'
import { callGroups, callsIn, curlOf, responseOf, type CallGroup, type CallName } from './calls.ts'
import classes from './developers.module.css'

const groups = Object.keys(callGroups) as CallGroup[]

export function DevelopersPage() {
  const { t } = useTexts('integration-reference')
  return (
    <Page title={t('title')}>
      <p className={classes.lead}>{t('lead')}</p>
      <nav aria-label={t('contents')} className={classes.contents}>
        <ul>
          {(['start', 'rules', ...groups, 'webhooks', 'tools'] as const).map((section) => (
            <li key={section}>
              <a href={`#${section}`}>{t(`sections.${section}`)}</a>
            </li>
          ))}
        </ul>
      </nav>
      <Section id="start">
        <ol>
          <li>{t('start.token')}</li>
          <li>{t('start.test')}</li>
        </ol>
        <Code
          label={t('request')}
          of={t('sections.start')}
          text={`export KELISIM_TOKEN=kls_…\n${curlOf(callGroups.connection.getConnection, window.location.origin)}`}
        />
        <p>
          <a href="/api/v1/openapi.json">{t('start.openApi')}</a>
        </p>
      </Section>
      <Section id="rules">
        <ul>
          {(['authorization', 'key', 'errors', 'limits', 'dates'] as const).map((rule) => (
            <li key={rule}>{t(`rules.${rule}`)}</li>
          ))}
        </ul>
      </Section>
      {groups.map((group) => (
        <Section key={group} id={group}>
          {callsIn(group).map(([name, call]) => (
            <Call key={name} name={name} call={call} />
          ))}
        </Section>
      ))}
      <Section id="webhooks">
        <p>{t('webhooks.text')}</p>
        <Code label={t('example')} of={t('sections.webhooks')} text={webhookCheck} />
      </Section>
      <Section id="tools">
        <ul>
          {(['client', 'command', 'assistants', 'accounting'] as const).map((tool) => (
            <li key={tool}>{t(`tools.${tool}`)}</li>
          ))}
        </ul>
        <Code label={t('example')} of={t('sections.tools')} text={clientExample} />
      </Section>
    </Page>
  )
}

function Section({
  id,
  children,
}: {
  id: CallGroup | 'start' | 'rules' | 'webhooks' | 'tools'
  children: React.ReactNode
}) {
  const { t } = useTexts('integration-reference')
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={classes.section}>
      <h2 id={`${id}-title`}>{t(`sections.${id}`)}</h2>
      {children}
    </section>
  )
}

function Call({ name, call }: { name: CallName; call: Endpoint }) {
  const { t } = useTexts('integration-reference')
  const response = responseOf(call)
  return (
    <article className={classes.call} aria-labelledby={name}>
      <h3 id={name}>{t(`calls.${name}`)}</h3>
      <p className={classes.about}>
        <code className={classes.address}>
          <b>{call.method}</b> {call.path.replaceAll(/:(\w+)/g, '{$1}')}
        </code>
        {call.scope !== undefined && (
          <span className={classes.scope}>
            {t('scope')} <code>{call.scope}</code>
          </span>
        )}
      </p>
      <Code label={t('request')} of={t(`calls.${name}`)} text={curlOf(call, window.location.origin)} />
      {response === null ? (
        <p>{t('file')}</p>
      ) : (
        <Code label={t('response')} of={t(`calls.${name}`)} text={response} />
      )}
    </article>
  )
}

/** The code scrolls separately, so the keyboard must be able to reach it. */
function Code({ label, of, text }: { label: string; of: string; text: string }) {
  const { t } = useTexts('integration-reference')
  return (
    <figure className={classes.code}>
      <figcaption>
        {label}
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={`${t(copied ? 'copied' : 'copy')}: ${of}, ${label}`}
              onClick={copy}
            >
              {t(copied ? 'copied' : 'copy')}
            </Button>
          )}
        </CopyButton>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable */}
      <pre tabIndex={0} role="region" aria-label={`${of}: ${label}`}>
        {text}
      </pre>
    </figure>
  )
}

const webhookCheck = `import { checkWebhook } from '@kelisim/client'

const { id, message } = await checkWebhook(body, headers, process.env.WEBHOOK_SECRET)`

const clientExample = `import { openClient } from '@kelisim/client'

const kelisim = openClient({ address: 'https://kelisim.example', token: process.env.KELISIM_TOKEN })
const document = await kelisim.uploadDocument({ name: 'Act.pdf' }, bytes)
const request = await kelisim.sendByRoute({ documentId: document.id, routeId, name: 'Act' })
await kelisim.waitForEnd(request.id)
const { bytes: archive } = await kelisim.download(request.id, 'signed')`
