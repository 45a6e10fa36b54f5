/** Routes and templates of the demo: parallel steps, outside parties, private ones, one switched off. */
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { typeOf } from '@kelisim/domain/points/point-types.ts'
import type { RouteKind } from '@kelisim/domain/routes/contract.ts'
import { routeTypeOf } from '@kelisim/domain/routes/route.ts'
import { addRouteRow, saveRouteRow, switchRouteRow, type Content } from '@kelisim/server/routes/queries.ts'

type Sample = {
  organization: string
  author: string
  kind?: RouteKind
  name: string
  description?: string
  scope?: 'personal'
  /** Points by name, one turn after another; those of one turn act in parallel. */
  turns: string[][]
  /** The name of the route's template. */
  from?: string
  /** The first version of the route; somebody else then saved the current one. */
  before?: { turns: string[][]; changedBy: string }
  isSwitchedOff?: true
}

const aigerim = 'aigerim@altyn-dala.example'
const yerlan = 'yerlan@altyn-dala.example'
const nurlan = 'nurlan@tulpar-trade.example'
const lawyers = 'Юридическая экспертиза'
const accountants = 'Согласование бухгалтерии'
const director = 'Подпись директора'

const samples: Sample[] = [
  {
    organization: 'altyn-dala',
    author: yerlan,
    kind: 'template',
    name: 'Договор с контрагентом',
    description:
      'Юристы и бухгалтерия согласуют одновременно, затем подписывает директор. Добавьте вторую сторону.',
    turns: [[lawyers, accountants], [director]],
  },
  {
    organization: 'altyn-dala',
    author: aigerim,
    kind: 'template',
    name: 'Внутренний приказ',
    description: 'После подписи с приказом знакомятся под подтверждение.',
    turns: [[lawyers], [director], ['Бухгалтерия знакомится']],
  },
  {
    organization: 'altyn-dala',
    author: yerlan,
    name: 'Договор поставки с «Тұлпар Трейд»',
    description: 'Сначала согласуем и подписываем у себя, затем подписывает покупатель.',
    from: 'Договор с контрагентом',
    turns: [[lawyers, accountants], [director], ['«Тұлпар Трейд» подписывает']],
    before: { turns: [[accountants], [director], ['«Тұлпар Трейд» подписывает']], changedBy: aigerim },
  },
  {
    organization: 'altyn-dala',
    author: aigerim,
    name: 'Дополнительное соглашение через отдел закупок',
    description: 'Документ приходит сразу в отдел закупок «Тұлпар Трейд» по его точке контрагента.',
    turns: [[accountants], [director], ['Сатып алу бөлімі қабылдайды']],
  },
  {
    organization: 'altyn-dala',
    author: aigerim,
    name: 'Акт выполненных работ с исполнителем',
    turns: [['Қасымов Әлихан согласует', accountants], [director]],
  },
  {
    organization: 'altyn-dala',
    author: aigerim,
    name: 'Приказ по учётной политике',
    from: 'Внутренний приказ',
    turns: [[lawyers], [director], ['Бухгалтерия знакомится']],
  },
  {
    organization: 'altyn-dala',
    author: 'daniyar@altyn-dala.example',
    name: 'Моё заявление на отпуск',
    scope: 'personal',
    turns: [['Моя подпись'], [director]],
  },
  {
    organization: 'altyn-dala',
    author: yerlan,
    name: 'Договор поставки, порядок 2025 года',
    description: 'Заменён новым маршрутом с юридической экспертизой.',
    turns: [[accountants], [director]],
    isSwitchedOff: true,
  },
  {
    organization: 'tulpar-trade',
    author: nurlan,
    kind: 'template',
    name: 'Шот-фактура',
    description: 'Сатып алу бөлімі келіскеннен кейін директор қол қояды.',
    turns: [['Закупки согласуют'], ['Директордың қолы']],
  },
  {
    organization: 'tulpar-trade',
    author: nurlan,
    name: '«Алтын Дала» ЖШС-мен жеткізу шарты',
    description: 'Алдымен өзімізде келісіледі, соңында жеткізуші қол қояды.',
    turns: [['Закупки согласуют'], ['Директордың қолы'], ['Приём договоров']],
  },
  {
    organization: 'tulpar-trade',
    author: 'maria@tulpar-trade.example',
    name: 'Счёт на оплату',
    from: 'Шот-фактура',
    turns: [['Закупки согласуют'], ['Директордың қолы']],
  },
]

export async function addRoutes(
  tx: Tx,
  organizationIds: Map<string, string>,
  userIds: Map<string, string>,
  now: Date,
): Promise<void> {
  const known = await tx.selectFrom('points').select(['id', 'name', 'type', 'organizationId']).execute()
  const templates = new Map<string, string>()
  for (const [i, sample] of samples.entries()) {
    const organizationId = organizationIds.get(sample.organization)!
    const contentOf = (turns: string[][]): Content => {
      const points = turns.flatMap((names, turn) =>
        names.map((name) => {
          // Point names are unique across the demo, so that a published point of another organisation is found by
          // name, too.
          const point = known.find((p) => p.name === name)!
          return {
            pointId: point.id,
            order: turn + 1,
            condition: null,
            termDays: null,
            escalation: null,
            name,
            type: point.type,
          }
        }),
      )
      const { name, description = '', scope = 'common' } = sample
      const type = routeTypeOf(points.map((point) => ({ type: typeOf(point.type)! })))
      return { name, description, scope, type, points }
    }
    const [id, kind] = [newId(), sample.kind ?? 'route']
    const templateId = sample.from === undefined ? null : templates.get(sample.from)!
    const made = { by: userIds.get(sample.author)!, at: secondsBefore(now, samples.length - i) }
    const first = contentOf(sample.before?.turns ?? sample.turns)
    await addRouteRow(tx, { id, organizationId, kind, templateId, ...first }, made)
    if (kind === 'template') templates.set(sample.name, id)
    if (sample.before) {
      const changed = { by: userIds.get(sample.before.changedBy)!, at: now }
      await saveRouteRow(tx, { id, organizationId, version: 1 }, contentOf(sample.turns), changed)
    }
    if (sample.isSwitchedOff) {
      await switchRouteRow(tx, { id, version: 1 }, false, first.points, { ...made, at: now })
    }
  }
}

/** Routes are created after the points, one second apart. */
function secondsBefore(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1000)
}
