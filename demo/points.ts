/** Points of the demo: some of each kind, private, common and published ones. */
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { fittingFields, type PointFields } from '@kelisim/domain/points/point.ts'
import { pointTypes, type PointType } from '@kelisim/domain/points/point-types.ts'
import { addPointRow } from '@kelisim/server/points/queries.ts'
import { minute } from '@kelisim/domain/durations.ts'

type Sample = {
  organization: string
  author: string
  name: string
  description?: string
  type: PointType
  /** The name of the group. */
  group?: string
  responsible?: string[]
} & Partial<Omit<PointFields, 'groupId' | 'responsiblePersons'>>

const samples: Sample[] = [
  {
    organization: 'altyn-dala',
    author: 'aigerim@altyn-dala.example',
    name: 'Подпись директора',
    description: 'Договоры и акты подписывает директор ключом организации',
    type: 'CompanyInternalSign',
    group: 'Руководство',
  },
  {
    organization: 'altyn-dala',
    author: 'gulnar@altyn-dala.example',
    name: 'Согласование бухгалтерии',
    description: 'Суммы, налоги и сроки оплаты',
    type: 'InternalApprove',
    group: 'Бухгалтерия',
    responsible: ['gulnar@altyn-dala.example'],
  },
  {
    organization: 'altyn-dala',
    author: 'yerlan@altyn-dala.example',
    name: 'Юридическая экспертиза',
    description: 'Согласуют все юристы, с электронной подписью',
    type: 'InternalApprove',
    group: 'Юристы',
    agreementCondition: 'all',
    isEdsPresentationRequired: true,
  },
  {
    organization: 'altyn-dala',
    author: 'gulnar@altyn-dala.example',
    name: 'Бухгалтерия знакомится',
    type: 'InternalInformationConfirm',
    group: 'Бухгалтерия',
  },
  {
    organization: 'altyn-dala',
    author: 'daniyar@altyn-dala.example',
    name: 'Моя подпись',
    type: 'EmployeeInternalSign',
    group: 'Бухгалтерия',
    responsible: ['daniyar@altyn-dala.example'],
    scope: 'personal',
  },
  {
    organization: 'altyn-dala',
    author: 'aigerim@altyn-dala.example',
    name: '«Тұлпар Трейд» подписывает',
    type: 'ExternalSign',
    bin: '240540017348',
    organizationName: '«Тұлпар Трейд» ЖШС',
    emails: ['info@tulpar-trade.example'],
  },
  {
    organization: 'altyn-dala',
    author: 'aigerim@altyn-dala.example',
    name: 'Қасымов Әлихан согласует',
    type: 'ExternalApprove',
    bin: '880315300123',
    organizationName: 'Қасымов Әлихан Ғабитұлы',
    emails: ['alikhan@kasymov.example'],
  },
  {
    organization: 'altyn-dala',
    author: 'aigerim@altyn-dala.example',
    name: 'Приём договоров',
    description: 'Договоры и дополнительные соглашения от контрагентов',
    type: 'CounterParty',
    group: 'Руководство',
  },
  {
    organization: 'tulpar-trade',
    author: 'nurlan@tulpar-trade.example',
    name: 'Директордың қолы',
    description: 'Шарттарға ұйым кілтімен қол қойылады',
    type: 'CompanyInternalSign',
    group: 'Басшылық',
  },
  {
    organization: 'tulpar-trade',
    author: 'maria@tulpar-trade.example',
    name: 'Закупки согласуют',
    type: 'InternalApprove',
    group: 'Сатып алу бөлімі',
  },
  {
    organization: 'tulpar-trade',
    author: 'nurlan@tulpar-trade.example',
    name: 'Сатып алу бөлімі қабылдайды',
    description: 'Жеткізу шарттары мен шот-фактуралар',
    type: 'CounterParty',
    group: 'Сатып алу бөлімі',
  },
]

export async function addPoints(
  tx: Tx,
  organizationIds: Map<string, string>,
  userIds: Map<string, string>,
  now: Date,
): Promise<void> {
  const groups = await tx.selectFrom('groups').select(['id', 'name', 'organizationId']).execute()
  for (const [i, { organization, author, type, group, responsible = [], ...given }] of samples.entries()) {
    const organizationId = organizationIds.get(organization)!
    const groupId = groups.find((g) => g.organizationId === organizationId && g.name === group)?.id ?? null
    const { name, description = '', ...fields } = given
    await addPointRow(tx, {
      ...fittingFields(type, {
        scope: 'common',
        agreementCondition: 'any',
        quorum: null,
        isEdsPresentationRequired: false,
        bin: null,
        organizationName: '',
        emails: [],
        keyHolder: null,
        keyHolderIin: null,
        signatureForm: 'cms',
        ...fields,
        groupId,
        responsiblePersons: responsible.map((email) => userIds.get(email)!),
      }),
      id: newId(),
      organizationId,
      authorId: userIds.get(author)!,
      name,
      description,
      type: pointTypes.of(type),
      createdAt: new Date(now.getTime() - i * minute),
    })
  }
}
