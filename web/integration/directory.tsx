/** The address to enter in the directory of the organisation (Entra ID, Okta), and how to set it up there. */
import { useState } from 'react'
import { Button, Group, TextInput } from '@mantine/core'
import { useTexts } from '../i18n/use-texts.ts'
import classes from '../portal/shared/portal.module.css'
import { CopyIcon } from '../ui/look/icons.tsx'
import { Card } from '../ui/page/page.tsx'
import own from './integration.module.css'

const directories = ['entra', 'okta'] as const
const steps = ['token', 'application', 'address', 'attributes', 'start'] as const

export function Directory() {
  const { t } = useTexts('integration')
  const [isCopied, setCopied] = useState(false)
  const address = new URL('/scim/v2', location.origin).href
  return (
    <section className={own.section}>
      <header className={own.head}>
        <h2>{t('directory.title')}</h2>
      </header>
      <p className={classes.help}>{t('directory.lead')}</p>
      <div className={own.list}>
        <Card>
          <TextInput
            label={t('directory.address')}
            value={address}
            readOnly
            spellCheck={false}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Group mt={12}>
            <Button
              variant="default"
              leftSection={<CopyIcon />}
              onClick={() => void navigator.clipboard.writeText(address).then(() => setCopied(true))}
            >
              {t('directory.copy')}
            </Button>
            <span role="status">{isCopied && t('copied')}</span>
          </Group>
          {directories.map((directory) => (
            <details key={directory} className={own.steps}>
              <summary>{t(`directory.${directory}.title`)}</summary>
              <ol>
                {steps.map((step) => (
                  <li key={step}>{t(`directory.${directory}.${step}`)}</li>
                ))}
              </ol>
            </details>
          ))}
        </Card>
      </div>
    </section>
  )
}
