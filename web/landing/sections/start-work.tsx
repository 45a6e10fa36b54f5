/** Shows work with an account: one large drawing of the page of a request, with remarks. */
import { Mark } from '../../ui/look/pictures.tsx'
import { Tick } from '../shared/pictures.tsx'
import { signInAddress, type LandingProps } from '../shared/landing-props.ts'

type StartTexts = LandingProps['t']['start']
const notes = ['read', 'act', 'route', 'proof'] as const
type Note = (typeof notes)[number]

export function StartWork({ t: { start } }: LandingProps) {
  return (
    <section className="start bounds" id="start" aria-labelledby="start-title">
      <div className="heading">
        <div>
          <h2 id="start-title">{start.title}</h2>
          <p className="lead">{start.lead}</p>
        </div>
        <a className="primary" href={signInAddress}>
          {start.register}
        </a>
      </div>
      <figure>
        <RequestPage picture={start.picture} />
        <figcaption>
          {notes.map((note) => (
            <p key={note}>
              <Pin of={note} />
              <span>
                <b>{start.notes[note].title}</b>
                {start.notes[note].text}
              </span>
            </p>
          ))}
        </figcaption>
      </figure>
    </section>
  )
}

/** The drawing is HTML, so that it is sharp, in the language of the page, and readable on a phone. */
function RequestPage({ picture: p }: { picture: StartTexts['picture'] }) {
  const steps = [
    [p.approved, p.approvedBy, true],
    [p.signed, p.signedBy, true],
    [p.waiting, p.waitingBy, false],
  ] as const
  return (
    <div className="screen" role="img" aria-label={p.label}>
      <div aria-hidden="true">
        <p className="screen-top">
          <Mark />
          {p.place}
        </p>
        <div className="screen-paper">
          <Pin of="read" />
          <b>{p.name}</b>
          {Array.from({ length: 15 }, (_, line) => (
            <i key={line} />
          ))}
        </div>
        <div className="screen-side">
          <div className="screen-act">
            <Pin of="act" />
            <b>{p.status}</b>
            <span>{p.from}</span>
            <span className="screen-button">{p.sign}</span>
          </div>
          <div className="screen-route">
            <Pin of="route" />
            {steps.map(([what, who, isDone]) => (
              <p key={who}>
                {isDone ? <Tick /> : <span className="screen-waits" />}
                <span>
                  <b>{what}</b>
                  {who}
                </span>
              </p>
            ))}
          </div>
          <div className="screen-files">
            <Pin of="proof" />
            {[p.printable, p.report, p.bundle].map((file) => (
              <p key={file}>{file}</p>
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}

function Pin({ of }: { of: Note }) {
  return (
    <span className="pin" aria-hidden="true">
      {notes.indexOf(of) + 1}
    </span>
  )
}
