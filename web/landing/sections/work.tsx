/** How to begin, the videos, and the features. */
import { Tick } from '../shared/pictures.tsx'
import { signInAddress, type LandingProps } from '../shared/landing-props.ts'

export function QuickSend({ t: { quick, signIn } }: LandingProps) {
  return (
    <section className="quick bounds" id="quick-send" aria-labelledby="quick-title">
      <div className="words">
        <h2 id="quick-title">{quick.title}</h2>
        <p className="lead">{quick.lead}</p>
        <Steps steps={Object.values(quick.steps)} />
      </div>
      {/* The quick send form is mounted here. */}
      <div className="form" data-quick-send data-opening={quick.opening} data-failed={quick.failed}>
        <svg viewBox="0 0 320 150" fill="none" strokeLinecap="round" aria-hidden="true">
          <rect
            x="30"
            y="14"
            width="260"
            height="122"
            rx="16"
            stroke="var(--prim)"
            strokeWidth="2"
            strokeDasharray="7 8"
          />
          <path
            d="M132 40h38l18 18v56h-56z"
            fill="var(--paper)"
            stroke="var(--prim)"
            strokeWidth="2.5"
            strokeLinejoin="round"
          />
          <path d="M170 40v18h18M144 74h32M144 86h32M144 98h18" stroke="var(--prim)" strokeWidth="2.5" />
          <circle cx="190" cy="108" r="17" fill="var(--prim)" />
          <path
            d="M190 116v-16m-7 7 7-7 7 7"
            stroke="var(--paper)"
            strokeWidth="2.5"
            strokeLinejoin="round"
          />
        </svg>
        <button className="primary needs-script" type="button">
          {quick.open}
        </button>
        <p className="free">{quick.free}</p>
        <p className="said" role="status" />
        <noscript>
          <p>{quick.noScript}</p>
          <a className="secondary" href={signInAddress}>
            {signIn}
          </a>
        </noscript>
      </div>
    </section>
  )
}

function Steps({ steps }: { steps: readonly { title: string; text: string }[] }) {
  return (
    <ol className="steps">
      {steps.map(({ title, text }) => (
        <li key={title}>
          <span>
            <b>{title}</b>
            {text}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Only the posters are loaded (lazily) until somebody plays a video. */
export function Videos({ t: { videos, footer }, language }: LandingProps) {
  const names = ['send', 'route', 'sign'] as const
  return (
    <section className="videos bounds" id="videos" aria-labelledby="videos-title">
      <h2 id="videos-title">{videos.title}</h2>
      <p className="lead">{videos.lead}</p>
      <div className="cards">
        {names.map((name) => (
          <figure key={name}>
            <a
              href={`/files/videos/${name}.webm`}
              data-video={name}
              data-title={videos[name]}
              data-captions={`/files/videos/${name}.${language}.vtt`}
              data-captions-label={videos.captions}
              aria-label={`${videos.play}: ${videos[name]}`}
            >
              <img
                src={`/files/videos/${name}.jpg`}
                alt=""
                width="1280"
                height="720"
                loading="lazy"
                decoding="async"
              />
              <svg width="64" height="64" viewBox="0 0 64 64" aria-hidden="true">
                <circle cx="32" cy="32" r="32" fill="#00707f" />
                <path d="M26 20v24l19-12z" fill="#ffffff" />
              </svg>
            </a>
            <figcaption>{videos[name]}</figcaption>
          </figure>
        ))}
      </div>
      <dialog className="video" aria-labelledby="video-title">
        <div className="bar">
          <h2 id="video-title">{videos.title}</h2>
          <button className="secondary" type="button" aria-label={footer.close}>
            ✕
          </button>
        </div>
        <div className="player" />
        <p className="caption" />
        <ol className="chapters" aria-label={videos.steps} />
      </dialog>
    </section>
  )
}

export function Faq({ t: { faq } }: LandingProps) {
  return (
    <section className="faq bounds" id="faq" aria-labelledby="faq-title">
      <h2 id="faq-title">{faq.title}</h2>
      <div>
        {Object.entries(faq.items).map(([name, { q, a }]) => (
          <details key={name}>
            <summary>{q}</summary>
            <p>{a}</p>
          </details>
        ))}
      </div>
    </section>
  )
}

export function Features({ t: { features } }: LandingProps) {
  return (
    <section className="features bounds" id="features" aria-labelledby="features-title">
      <h2 id="features-title">{features.title}</h2>
      <div className="cards">
        {Object.values(features.groups).map(({ title, items }) => (
          <div key={title}>
            <h3>{title}</h3>
            <ul className="ticks">
              {Object.values(items).map((item) => (
                <li key={item}>
                  <Tick />
                  {item}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  )
}
