/** Classifiers of the demo, in the languages of their organisations. */
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { minute } from '@kelisim/domain/durations.ts'
import { addClassifierRow } from '@kelisim/server/classifiers/queries.ts'

const classifiers: Record<string, { author: string; names: string[] }> = {
  'altyn-dala': {
    author: 'aigerim@altyn-dala.example',
    names: ['Договоры поставки', 'Счета и акты', 'Приказы', 'Кадры'],
  },
  'tulpar-trade': { author: 'nurlan@tulpar-trade.example', names: ['Шарттар', 'Шот-фактуралар'] },
}

export async function addClassifiers(
  tx: Tx,
  organizationIds: Map<string, string>,
  userIds: Map<string, string>,
  now: Date,
): Promise<void> {
  for (const [organization, { author, names }] of Object.entries(classifiers)) {
    for (const [i, name] of names.entries()) {
      await addClassifierRow(tx, {
        id: newId(),
        organizationId: organizationIds.get(organization)!,
        authorId: userIds.get(author)!,
        name,
        createdAt: new Date(now.getTime() - i * minute),
      })
    }
  }
}
