/** Help under /frame/{name}: a document with its preview and a download, or the videos. */
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { helpNameOf, helpNames, type HelpName } from '@kelisim/domain/help/documents.ts'
import { FilePreview } from '../documents/preview/preview.tsx'
import { readBytes } from '../api/transfer.ts'
import { currentLanguage } from '../i18n/language.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplaceIfAny } from '../shell/session/session.ts'
import { useAddress } from '../ui/browser/address.ts'
import { DownloadIcon } from '../ui/look/icons.tsx'
import { Page } from '../ui/page/page.tsx'
import { PageNotFound } from '../ui/page/states.tsx'
import { downloadAddress, helpAddress } from './shared/help-address.ts'
import classes from './help.module.css'
import { VideosPage } from './videos-page.tsx'

declare const __HELP_VERSIONS__: Record<string, string>

export function FramePage() {
  const said = useAddress().params.name ?? 'instruction'
  const name = helpNameOf(said)
  if (said.toLowerCase() === 'videos') return <VideosPage menu={<HelpMenu current="videos" />} />
  return name ? <HelpDocument name={name} /> : <PageNotFound />
}

function HelpDocument({ name }: { name: HelpName }) {
  const { t } = useTexts('help')
  const language = currentLanguage()
  const { organizationId } = useAddress().search
  const address = helpAddress(name, language, __HELP_VERSIONS__, organizationId)
  const title = t(`documents.${name}`)
  return (
    <Page
      title={title}
      action={
        <Button component="a" href={downloadAddress(address)} leftSection={<DownloadIcon />}>
          {t('download')}
        </Button>
      }
    >
      <div className={classes.columns}>
        <HelpMenu current={name} />
        <FilePreview
          key={address}
          name={title}
          format="pdf"
          queryKey={[address]}
          load={(signal) => readBytes(address, { signal })}
        />
      </div>
    </Page>
  )
}

/** Links to the other documents, and back to the application for people who came from there. */
function HelpMenu({ current }: { current: HelpName | 'videos' }) {
  const { t } = useTexts('help')
  const { organizationId } = useAddress().search
  const isInMenu = useWorkplaceIfAny() !== null
  return (
    <nav className={classes.menu} aria-label={t('otherDocuments')}>
      {organizationId !== undefined && !isInMenu && (
        <Link to="/signingRequests/$route" params={{ route: 'incomings' }} className={classes.back}>
          {t('back')}
        </Link>
      )}
      <ul>
        {[...helpNames, 'videos' as const].map((name) => (
          <li key={name}>
            <Link
              to="/frame/{-$name}"
              params={{ name }}
              {...(name === current && { 'aria-current': 'page' as const })}
            >
              {name === 'videos' ? t('videos.title') : t(`documents.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
