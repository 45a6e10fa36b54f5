/** Journals and kinds of documents of the demo: documents of some kinds get a number when they are sent. */
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { day } from '@kelisim/domain/durations.ts'
import { countingYear, type YearPlace } from '@kelisim/domain/registers/numbering.ts'
import type { JournalDirection } from '@kelisim/domain/registers/permissions.ts'
import { addJournalRow, addKindRow } from '@kelisim/server/registers/core/queries.ts'

/** Journals were opened before the oldest sample was sent. */
const openedDaysAgo = 60

type Journal = {
  name: string
  direction: JournalDirection
  prefix: string
  yearPlace: YearPlace
  width: number
  firstNumber: number
  /** The kinds whose documents are registered here when they are sent. */
  kinds: string[]
}

const journals: Record<string, { owner: string; journals: Journal[] }> = {
  'altyn-dala': {
    owner: 'aigerim@altyn-dala.example',
    journals: [
      {
        name: 'Исходящие',
        direction: 'outgoing',
        prefix: 'ИСХ-',
        yearPlace: 'after',
        width: 4,
        firstNumber: 118,
        kinds: ['Договор'],
      },
      {
        name: 'Приказы',
        direction: 'outgoing',
        prefix: '',
        yearPlace: 'none',
        width: 3,
        firstNumber: 41,
        kinds: ['Приказ'],
      },
      {
        name: 'Входящие',
        direction: 'incoming',
        prefix: 'ВХ-',
        yearPlace: 'after',
        width: 4,
        firstNumber: 1,
        kinds: [],
      },
    ],
  },
}

export async function addRegisters(
  tx: Tx,
  organizationIds: Map<string, string>,
  userIds: Map<string, string>,
  now: Date,
): Promise<void> {
  const createdAt = new Date(now.getTime() - openedDaysAgo * day)
  for (const [key, { owner, journals: ofOne }] of Object.entries(journals)) {
    const common = {
      organizationId: organizationIds.get(key)!,
      createdBy: userIds.get(owner)!,
      createdAt,
    }
    for (const { kinds, ...journal } of ofOne) {
      const journalId = newId()
      await addJournalRow(tx, {
        ...journal,
        ...common,
        id: journalId,
        firstYear: countingYear(journal, createdAt),
      })
      for (const name of kinds) {
        await addKindRow(tx, { ...common, id: newId(), name, journalId, registersAtSending: true })
      }
    }
  }
}
