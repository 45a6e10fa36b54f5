/** Screen recordings of the product with captions in the reader's language. */
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { videoNames, type VideoName } from '@kelisim/domain/help/documents.ts'
import { languageNames } from '@kelisim/texts/languages.ts'
import { currentLanguage } from '../i18n/language.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { clockOf, followCaptions, type Caption } from '../ui/browser/captions.ts'
import { Page } from '../ui/page/page.tsx'
import classes from './help.module.css'

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
              {/* Another language needs a new player, because a loaded caption track stays. */}
              <Video key={currentLanguage()} name={name} />
            </li>
          ))}
        </ol>
      </div>
    </Page>
  )
}

function Video({ name }: { name: VideoName }) {
  const { t } = useTexts('help')
  const language = currentLanguage()
  const place = `/files/videos/${name}`
  const video = useRef<HTMLVideoElement>(null)
  const track = useRef<HTMLTrackElement>(null)
  const [captions, setCaptions] = useState<Caption[]>([])
  const [current, setCurrent] = useState(-1)
  useEffect(() => followCaptions(track.current!, { all: setCaptions, current: setCurrent }), [])

  function goTo({ from }: Caption): void {
    video.current!.currentTime = from
    void video.current!.play()
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the track is below */}
      <video
        ref={video}
        controls
        preload="none"
        poster={`${place}.jpg`}
        width={1280}
        height={720}
        aria-label={t(`videos.${name}.title`)}
      >
        <source src={`${place}.webm`} type="video/webm" />
        <track
          ref={track}
          kind="captions"
          src={`${place}.${language}.vtt`}
          srcLang={language}
          label={languageNames[language]}
        />
      </video>
      <p className={classes.caption}>{captions[current]?.text}</p>
      <ol className={classes.steps} aria-label={`${t('videos.steps')}: ${t(`videos.${name}.title`)}`}>
        {captions.map((caption, i) => (
          <li key={caption.from} {...(i === current && { 'aria-current': 'step' as const })}>
            <button type="button" onClick={() => goTo(caption)}>
              <time>{clockOf(caption.from)}</time>
              {caption.text}
            </button>
          </li>
        ))}
      </ol>
    </>
  )
}
