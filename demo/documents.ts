/**
 * Documents that the demo's people have uploaded: one of every format, private and public ones. Uploaded by the API
 * like any other.
 */
import { Readable } from 'node:stream'
import type { Database } from '@kelisim/db/db.ts'
import type { Visibility } from '@kelisim/domain/visibility.ts'
import { upload, type Archive } from '@kelisim/server/documents/upload.ts'
import { organizations } from './people.ts'
import { makeDocx, makePdf, makeXlsx } from './sample-files.ts'
import { minute } from '@kelisim/domain/durations.ts'

type Sample = {
  organization: string
  author: string
  name: string
  description: string
  visibility: Visibility
  bytes: Buffer
}

const samples: Sample[] = [
  {
    organization: 'altyn-dala',
    author: 'aigerim@altyn-dala.example',
    name: 'Supply agreement 14-2026.pdf',
    description: 'Поставка зерна для «Тұлпар Трейд» ЖШС, на год вперёд',
    visibility: 'public',
    bytes: makePdf(
      [
        'SUPPLY AGREEMENT No. 14/2026',
        '',
        'Astana, 2 November 2026',
        '',
        'Altyn Dala LLP, hereinafter the Supplier, and Tulpar Trade LLP,',
        'hereinafter the Buyer, have agreed as follows.',
        '',
        '1. The Supplier delivers wheat of the 3rd class, 500 tonnes a month.',
        '2. The price of a tonne is 98 500 tenge, delivery included.',
        '3. The Buyer pays within ten days of each delivery.',
      ],
      ['4. The agreement is in force until 31 December 2027.', '', 'Supplier                     Buyer'],
    ),
  },
  {
    organization: 'altyn-dala',
    author: 'aigerim@altyn-dala.example',
    name: 'Приказ о командировке.docx',
    description: '',
    visibility: 'private',
    bytes: makeDocx(
      'Приказ № 112-к о командировке',
      'Направить главного бухгалтера Омарова Данияра в г. Алматы с 23 по 26 ноября 2026 года для сверки расчётов.',
      'Статья расходов | Сумма, ₸',
      'Проезд | 64 000',
      'Проживание | 90 000',
      'Основание: служебная записка от 16.11.2026.',
    ),
  },
  {
    organization: 'altyn-dala',
    author: 'daniyar@altyn-dala.example',
    name: 'Бағалар тізімі 2026.xlsx',
    description: 'Қараша айынан бастап қолданылатын бағалар',
    visibility: 'public',
    bytes: makeXlsx('Бағалар', [
      ['Тауар', 'Өлшем', 'Бағасы, ₸'],
      ['Бидай, 3-сынып', 'тонна', 98500],
      ['Арпа', 'тонна', 71200],
      ['Күнбағыс майы', 'литр', 640],
    ]),
  },
  {
    organization: 'tulpar-trade',
    author: 'nurlan@tulpar-trade.example',
    name: 'Сенімхат.docx',
    description: 'Астанадағы қоймадан тауар алуға',
    visibility: 'private',
    bytes: makeDocx(
      'Сенімхат № 31',
      '«Тұлпар Трейд» ЖШС сатып алу бөлімінің маманы Мария Лиге Астана қаласындағы қоймадан тауар алуға сенім білдіреді.',
      'Сенімхат 2026 жылғы 31 желтоқсанға дейін жарамды.',
    ),
  },
]

export async function seedDocuments(database: Database, archive: Archive, now: Date): Promise<void> {
  for (const [i, { organization, author, bytes, ...sample }] of samples.entries()) {
    const place = await findPlace(database, organization, author)
    await upload(archive, database.write, {
      ...sample,
      ...place,
      documentId: undefined,
      size: bytes.length,
      options: { documentsUploadPdfOnly: false, documentsUploadXml: false },
      file: Readable.from([bytes]),
      now: new Date(now.getTime() - i * minute),
    })
  }
}

function findPlace(
  database: Database,
  organization: string,
  author: string,
): Promise<{ organizationId: string; authorId: string }> {
  const { bin } = organizations.find(({ key }) => key === organization)!
  return database.db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .innerJoin('organizations as o', 'o.id', 'm.organizationId')
    .select(['m.organizationId', 'm.userId as authorId'])
    .where('o.bin', '=', bin)
    .where('o.confirmedAt', 'is not', null)
    .where('u.login', '=', author)
    .executeTakeFirstOrThrow()
}
