/** Prices from the price list. The period is switched by two radio buttons and CSS. */
import {
  monthlyInYear,
  pricesSince,
  tariffs,
  yearly,
  type Tariff,
  type tariffNames,
} from '@kelisim/domain/subscriptions/price-list.ts'
import { Tick } from '../shared/pictures.tsx'
import { signInAddress, type LandingProps } from '../shared/landing-props.ts'

type Name = (typeof tariffNames)[number]

/** The tariff that most companies choose. */
const favourite: Name = 'classic'

export function Tariffs(told: LandingProps) {
  const { t, language, say } = told
  const names = (Object.keys(tariffs) as Name[]).toSorted((a, b) => tariffs[a].monthly - tariffs[b].monthly)
  return (
    <section className="tariffs bounds" id="price-list" aria-labelledby="tariffs-title">
      <div className="heading">
        <div>
          <h2 id="tariffs-title">{t.tariffs.title}</h2>
          <p className="lead">{t.tariffs.lead}</p>
        </div>
        <fieldset className="period">
          <legend className="unseen">{t.tariffs.period}</legend>
          <label>
            <input type="radio" name="period" value="month" defaultChecked />
            <span>{t.tariffs.month}</span>
          </label>
          <label>
            <input type="radio" name="period" value="year" />
            <span>
              {t.tariffs.year} <em>{t.tariffs.discount}</em>
            </span>
          </label>
        </fieldset>
      </div>
      <ul className="cards">
        {names.map((name) => (
          <li key={name} {...(name === favourite && { className: 'favourite' })}>
            <Card name={name} tariff={tariffs[name]} {...told} />
          </li>
        ))}
      </ul>
      <p className="note">
        <span>{say('tariffs.note', { date: t.tariffs.since })}</span>{' '}
        <a href={`/files/price-list.${language}.pdf`} download>
          {t.tariffs.download}
        </a>
      </p>
    </section>
  )
}

/** The build fails here when the date changes, because the texts of each language name it. */
if (pricesSince !== '2025-01-01')
  throw new Error('The date of the price list changed: write tariffs.since anew')

function Card({ name, tariff, t, say, language }: LandingProps & { name: Name; tariff: Tariff }) {
  const isFree = tariff.monthly === 0
  const money = (sum: number) =>
    sum.toLocaleString(language === 'en' ? 'en-GB' : 'ru-RU').replaceAll(/\s|,/g, '\u00a0')
  return (
    <article>
      {name === favourite && <p className="chosen-by">{t.tariffs.favourite}</p>}
      <h3>{t.tariffs.names[name]}</h3>
      <p className="for">{t.tariffs.for[name]}</p>
      {isFree ? (
        <Price sum="0" unit={`₸ ${t.tariffs.forever}`} under="&#160;" />
      ) : (
        <>
          <Price
            className="by-month"
            sum={money(tariff.monthly)}
            unit={t.tariffs.perMonth}
            under={t.tariffs.monthly}
          />
          <Price
            className="by-year"
            sum={money(monthlyInYear(tariff))}
            unit={t.tariffs.perMonth}
            under={say('tariffs.yearly', { sum: money(yearly(tariff)) })}
          />
        </>
      )}
      <ul className="ticks">
        <li>
          <Tick />
          {tariff.outgoing === null
            ? t.tariffs.unlimited
            : say(tariff.counted === 'in-all' ? 'tariffs.inAll' : 'tariffs.documents', {
                count: tariff.outgoing,
              })}
        </li>
        <li>
          <Tick />
          {isFree ? t.tariffs.organizations : t.tariffs.whole}
        </li>
      </ul>
      <a className={name === favourite ? 'primary' : 'secondary'} href={signInAddress}>
        {isFree ? t.tariffs.begin : say('tariffs.choose', { name: t.tariffs.names[name] })}
      </a>
    </article>
  )
}

function Price({
  className = '',
  sum,
  unit,
  under,
}: {
  className?: string
  sum: string
  unit: string
  under: string
}) {
  return (
    <p className={`price ${className}`}>
      <b>{sum}</b> {unit}
      <small>{under}</small>
    </p>
  )
}
