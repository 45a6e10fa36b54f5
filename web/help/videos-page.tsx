/** Screen recordings of the product with captions in the reader's language. */
import type { ReactNode } from 'react'
import { videoNames, type VideoName } from '@kelisim/domain/help/documents.ts'
import { languages, type Language } from '@kelisim/texts/languages.ts'
import { currentLanguage } from '../i18n/language.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Page } from '../ui/page/page.tsx'
import classes from './help.module.css'

const languageNames: Record<Language, string> = { ru: 'Русский', kk: 'Қазақша', en: 'English' }

export function VideosPage({ menu }: { menu: ReactNode }) {
  const { t } = useTexts('help')
  return (
    <Page title={t('videos.title')} lead={t('videos.lead')}>
      <div className={classes.columns}>
        {menu}
        <ol className={classes.videos}>
          {videoNames.map((name) => (
            <li key={name}>
              <h2>{t(`videos.${name}.title`)}</h2>
              <p>{t(`videos.${name}.text`)}</p>
              <Video name={name} />
            </li>
          ))}
        </ol>
      </div>
    </Page>
  )
}

/** The key creates a new player for another language, because a chosen caption track stays chosen. */
function Video({ name }: { name: VideoName }) {
  const { t } = useTexts('help')
  const language = currentLanguage()
  const place = `/files/videos/${name}`
  return (
    // There is a caption track for each language.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      key={language}
      controls
      preload="none"
      poster={`${place}.jpg`}
      width={1280}
      height={720}
      aria-label={t(`videos.${name}.title`)}
    >
      <source src={`${place}.webm`} type="video/webm" />
      {languages.map((one) => (
        <track
          key={one}
          kind="captions"
          src={`${place}.${one}.vtt`}
          srcLang={one}
          label={languageNames[one]}
          default={one === language}
        />
      ))}
    </video>
  )
}
