/** Metadata for search engines and messengers. */
import { tariffs, yearly, tariffNames } from '@kelisim/domain/subscriptions/price-list.ts'
import { languages } from '@kelisim/texts/languages.ts'
import { operatorFacts } from './shared/operator.tsx'
import { supportEmail, type LandingProps } from './shared/landing-props.ts'

/** A marker that the server replaces by its own address. */
const site = '__PUBLIC_URL__'
const locales = { ru: 'ru_KZ', kk: 'kk_KZ', en: 'en_GB' } as const

export function Head(told: LandingProps) {
  const { t, language } = told
  const address = `${site}/${language}`
  return (
    <>
      <title>{t.meta.title}</title>
      <meta name="description" content={t.meta.description} />
      <link rel="canonical" href={address} />
      {languages.map((other) => (
        <link key={other} rel="alternate" hrefLang={other} href={`${site}/${other}`} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={`${site}/`} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Келісім" />
      <meta property="og:title" content={t.meta.title} />
      <meta property="og:description" content={t.meta.description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={`${site}/share.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:locale" content={locales[language]} />
      {languages
        .filter((other) => other !== language)
        .map((other) => (
          <meta key={other} property="og:locale:alternate" content={locales[other]} />
        ))}
      <meta name="twitter:card" content="summary_large_image" />
      <script
        type="application/ld+json"
        // oxlint-disable-next-line react/no-danger -- JSON of our own texts, with every < written otherwise
        dangerouslySetInnerHTML={{ __html: JSON.stringify(facts(told)).replaceAll('<', '\\u003c') }}
      />
    </>
  )
}

function facts({ t, language }: LandingProps): object {
  const organization = `${site}/#organization`
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Organization',
        '@id': organization,
        name: 'Келісім',
        url: `${site}/`,
        logo: `${site}/mark.svg`,
        areaServed: 'KZ',
        contactPoint: {
          '@type': 'ContactPoint',
          contactType: 'customer support',
          email: supportEmail,
          availableLanguage: languages,
        },
        ...operatorFacts,
      },
      {
        '@type': 'SoftwareApplication',
        name: 'Келісім',
        url: `${site}/${language}`,
        description: t.meta.description,
        inLanguage: language,
        applicationCategory: 'BusinessApplication',
        operatingSystem: 'Web',
        publisher: { '@id': organization },
        offers: tariffNames.map((name) => ({
          '@type': 'Offer',
          name: t.tariffs.names[name],
          price: tariffs[name].monthly,
          priceCurrency: 'KZT',
          description: t.tariffs.for[name],
          ...(tariffs[name].monthly > 0 && {
            priceSpecification: [
              specification(tariffs[name].monthly, 'MON'),
              specification(yearly(tariffs[name]), 'ANN'),
            ],
          }),
        })),
      },
      {
        '@type': 'FAQPage',
        inLanguage: language,
        mainEntity: Object.values(t.faq.items).map(({ q, a }) => ({
          '@type': 'Question',
          name: q,
          acceptedAnswer: { '@type': 'Answer', text: a },
        })),
      },
    ],
  }
}

function specification(price: number, unitCode: 'MON' | 'ANN'): object {
  return {
    '@type': 'UnitPriceSpecification',
    price,
    priceCurrency: 'KZT',
    unitCode,
    valueAddedTaxIncluded: true,
  }
}
