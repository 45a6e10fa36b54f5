/** The prices of the tariffs as a table, from the product's price list only. */
import type { Content, TableCell } from 'pdfmake/interfaces.js'
import type { HelpLanguage } from '@kelisim/domain/help/documents.ts'
import {
  monthlyInYear,
  tariffs,
  yearly,
  type Tariff,
  tariffNames,
} from '@kelisim/domain/subscriptions/price-list.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { lined } from './help-document.ts'
import type { TariffName } from './manifest.ts'

/** Thousands are separated by a no-break space. */
export function tenge(amount: number): string {
  return `${String(amount).replaceAll(/\B(?=(\d{3})+$)/g, '\u00a0')}\u00a0₸`
}

export function priceTable(language: HelpLanguage, current: TariffName | null): Content {
  const t = textsOf(language, 'help')
  const name = textsOf(language, 'shell')
  const head = (['tariff', 'documents', 'monthly', 'inYear', 'yearly'] as const).map((column, i) => ({
    text: t(`prices.${column}`),
    bold: true,
    fontSize: 9.5,
    ...(i > 1 && { alignment: 'right' as const }),
  }))
  const dearer = tariffNames.toSorted((a, b) => tariffs[a].monthly - tariffs[b].monthly)
  const rows = dearer.map((key): TableCell[] => {
    const tariff: Tariff = tariffs[key]
    const isCurrent = key === current
    const cell = (text: string, more: object = {}) => ({
      text,
      ...(isCurrent && { fillColor: '#fdf3dc' }),
      ...more,
    })
    const money = (amount: number) =>
      cell(amount === 0 ? t('prices.free') : tenge(amount), { alignment: 'right', noWrap: true })
    return [
      {
        stack: [
          { text: name(`tariffs.${key}`), bold: true },
          ...(isCurrent ? [{ text: t('prices.current'), fontSize: 8.5, color: '#7a5300' }] : []),
        ],
        ...(isCurrent && { fillColor: '#fdf3dc' }),
      },
      cell(howMany(tariff, language)),
      money(tariff.monthly),
      money(monthlyInYear(tariff)),
      money(yearly(tariff)),
    ]
  })
  return {
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: ['auto', '*', 'auto', 'auto', 'auto'],
      body: [head, ...rows],
    },
    layout: lined,
    margin: [0, 8, 0, 12],
  }
}

function howMany({ outgoing, counted }: Tariff, language: HelpLanguage): string {
  const t = textsOf(language, 'help')
  if (outgoing === null) return t('prices.unlimited')
  return t(counted === 'in-all' ? 'prices.inAll' : 'prices.byMonth', { count: outgoing })
}
