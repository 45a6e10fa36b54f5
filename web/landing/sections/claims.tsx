/** What the product is and why its signatures are valid. */
import { pages } from '@kelisim/domain/pages.ts'
import { Icon, Ornament, PhonePicture, RoutePicture, Seal } from '../shared/pictures.tsx'
import { IfSaid, operator } from '../shared/operator.tsx'
import type { LandingProps } from '../shared/landing-props.ts'

export function Stats({ t: { stats } }: LandingProps) {
  return (
    <section className="stats bounds" aria-label={stats.label}>
      <IfSaid what="COMPANIES">
        <Stat value={`${operator.companies}+`} text={stats.companies} />
      </IfSaid>
      {[stats.minutes, stats.languages, stats.free].map(({ value, text }) => (
        <Stat key={value} value={value} text={text} />
      ))}
    </section>
  )
}

function Stat({ value, text }: { value: string; text: string }) {
  return (
    <p>
      <b>{value}</b>
      {text}
    </p>
  )
}

export function Advantages({ t: { advantages: a } }: LandingProps) {
  const small = ['partner', 'checked', 'printed', 'kept'] as const
  return (
    <section className="advantages bounds" aria-labelledby="advantages">
      <h2 id="advantages">{a.title}</h2>
      <p className="lead">{a.lead}</p>
      <div className="cards">
        <article className="large">
          <RoutePicture />
          <h3>{a.route.title}</h3>
          <p>{a.route.text}</p>
        </article>
        <article className="large">
          <PhonePicture />
          <h3>{a.phone.title}</h3>
          <p>{a.phone.text}</p>
        </article>
        {small.map((name) => (
          <article key={name}>
            <Icon name={name} />
            <h3>{a[name].title}</h3>
            <p>{a[name].text}</p>
          </article>
        ))}
      </div>
    </section>
  )
}

export function Consumers({ t: { consumers } }: LandingProps) {
  const { title, ...groups } = consumers
  return (
    <section className="consumers bounds" aria-labelledby="consumers">
      <h2 id="consumers">{title}</h2>
      <dl>
        {Object.values(groups).map(({ who, what }) => (
          <div key={who}>
            <dt>{who}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function Legal({ t: { legal }, say }: LandingProps) {
  const facts = ['exact', 'evidence', 'independent'] as const
  return (
    <section className="legal" id="legal" aria-labelledby="legal-title">
      <Ornament of="legal" />
      <div className="bounds">
        <div className="claim">
          <div>
            <h2 id="legal-title">{legal.title}</h2>
            <p className="lead">
              {legal.text}
              <IfSaid what="COMPANIES"> {say('legal.trusted', { companies: operator.companies })}</IfSaid>
            </p>
            <a className="secondary" href={pages.verify}>
              {legal.check}
            </a>
          </div>
          <Seal />
        </div>
        <ul>
          {facts.map((name) => (
            <li key={name}>
              <Icon name={name} />
              <h3>{legal.facts[name].title}</h3>
              <p>{legal.facts[name].text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
