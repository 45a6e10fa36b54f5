import { landingFormats } from '@kelisim/domain/documents/formats.ts'
import { Seal, Tick } from '../shared/pictures.tsx'
import { signInAddress, type LandingProps } from '../shared/landing-props.ts'

export function Hero({ t }: LandingProps) {
  return (
    <section className="hero">
      <div className="bounds">
        <div className="words">
          <h1>{t.hero.title}</h1>
          <p className="lead">{t.hero.text}</p>
          <label className="drop needs-script" data-drop>
            <SheetIcon />
            <span className="by-mouse">
              <b>{t.hero.drop}</b>
              {t.hero.dropHint}
            </span>
            <span className="by-touch">
              <b>{t.hero.pick}</b>
              {t.hero.pickHint}
            </span>
            <input type="file" accept={landingFormats.map((format) => `.${format}`).join()} />
          </label>
          <div className="acts">
            <a className="primary" href="#quick-send">
              {t.hero.send}
            </a>
            <a className="secondary" href={signInAddress}>
              {t.hero.start}
            </a>
          </div>
          <ul className="ticks">
            {Object.values(t.hero.points).map((point) => (
              <li key={point}>
                <Tick />
                {point}
              </li>
            ))}
          </ul>
        </div>
        <SignedDocument t={t} />
      </div>
    </section>
  )
}

/** A picture of the product: one document from sending to the last signature. */
function SignedDocument({ t: { hero } }: Pick<LandingProps, 't'>) {
  const { card } = hero
  const steps = [
    [card.sent, card.sentBy, '10:02'],
    [card.approved, card.approvedBy, '10:03'],
    [card.signed, card.signedBy, '10:04'],
    [card.countersigned, card.countersignedBy, '10:05'],
  ] as const
  return (
    <div className="signed" role="img" aria-label={card.label}>
      <div className="paper" aria-hidden="true">
        <p className="document">
          <SheetIcon />
          <span>
            <b>{card.name}</b>
            {card.kind}
          </span>
          <span className="status">{card.status}</span>
        </p>
        <ol>
          {steps.map(([what, who, when]) => (
            <li key={when}>
              <Tick />
              <span>
                <b>{what}</b>
                {who}
              </span>
              <time>{when}</time>
            </li>
          ))}
        </ol>
        <p className="checked">{card.checked}</p>
      </div>
      <Seal />
    </div>
  )
}

function SheetIcon() {
  return (
    <svg width="34" height="42" viewBox="0 0 34 42" fill="none" strokeLinecap="round" aria-hidden="true">
      <path
        d="M1 5a4 4 0 0 1 4-4h17l11 11v25a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4z"
        fill="var(--prim-soft)"
        stroke="var(--prim)"
        strokeWidth="1.6"
      />
      <path d="M22 1v8a3 3 0 0 0 3 3h8" stroke="var(--prim)" strokeWidth="1.6" />
      <path d="M8 20h18M8 26h18M8 32h10" stroke="var(--prim)" strokeWidth="2" opacity=".55" />
    </svg>
  )
}
