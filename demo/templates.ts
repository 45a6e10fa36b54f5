/** Document templates of the demo: contracts and papers in three languages. */
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import {
  toHtml,
  type Alignment,
  type Block,
  type Cell,
  type Inline,
} from '@kelisim/domain/rich-text/rich-text.ts'
import type { VariableKind } from '@kelisim/domain/rich-text/variables.ts'
import type { Visibility } from '@kelisim/domain/visibility.ts'
import { addTemplateRow } from '@kelisim/server/rich-text/queries.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { minute } from '@kelisim/domain/durations.ts'

type Words = readonly (string | Inline)[]

const plain = (text: string): Inline => ({ kind: 'text', text, marks: [] })
const inlines = (words: Words): Inline[] =>
  words.map((word) => (typeof word === 'string' ? plain(word) : word))
const gap = (name: string, type: VariableKind = 'text', usual = ''): Inline => ({
  kind: 'variable',
  name,
  type,
  usual,
  value: '',
  marks: [],
})
const title = (...words: Words): Block => ({
  kind: 'heading',
  level: 1,
  align: 'center',
  inlines: inlines(words),
})
const section = (text: string): Block => ({
  kind: 'heading',
  level: 2,
  align: 'left',
  inlines: [plain(text)],
})
const paragraph = (align: Alignment, ...words: Words): Block => ({
  kind: 'paragraph',
  align,
  inlines: inlines(words),
})
const line = (...words: Words): Block => paragraph('justify', ...words)
const clauses = (...items: Block[][]): Block => ({ kind: 'list', style: 'clauses', start: 1, items })
const chapter = (name: string, ...items: Block[]): Block[] => [
  section(name),
  clauses(...items.map((item) => [item])),
]

function table(heads: string[], ...rows: Words[][]): Block {
  const cell = (isHead: boolean, words: Words): Cell => ({
    isHead,
    columns: 1,
    rows: 1,
    blocks: [paragraph('left', ...words)],
  })
  return {
    kind: 'table',
    rows: [
      heads.map((head) => cell(true, [head])),
      ...rows.map((row) => row.map((words) => cell(false, words))),
    ],
  }
}

type Sample = {
  organization: string
  author: string
  name: string
  description: string
  language: Language
  visibility: Visibility
  blocks: Block[]
}

const samples: Sample[] = [
  {
    organization: 'altyn-dala',
    author: 'aigerim@altyn-dala.example',
    name: 'Договор поставки',
    description: 'Поставка зерна и муки, оплата после приёмки',
    language: 'ru',
    visibility: 'public',
    blocks: [
      title('Договор поставки № ', gap('Номер договора')),
      paragraph('right', 'г. ', gap('Город', 'text', 'Астана'), ', ', gap('Дата договора', 'today')),
      line(
        gap('Поставщик', 'organization'),
        ', БИН ',
        gap('БИН поставщика', 'organizationBin'),
        ', именуемое в дальнейшем «Поставщик», с одной стороны, и ',
        gap('Покупатель'),
        ', БИН ',
        gap('БИН покупателя', 'bin'),
        ', именуемое в дальнейшем «Покупатель», с другой стороны, заключили ',
        'настоящий договор о нижеследующем.',
      ),
      clauses(
        chapter(
          'Предмет договора',
          line('Поставщик передаёт, а Покупатель принимает и оплачивает товар по спецификации (раздел 4).'),
          line('Качество товара подтверждается сертификатом, который передаётся вместе с товаром.'),
        ),
        chapter(
          'Цена и расчёты',
          line('Цена договора составляет ', gap('Сумма', 'number'), ' тенге, включая НДС и доставку.'),
          line(
            'Покупатель платит в течение ',
            gap('Дней на оплату', 'number', '10'),
            ' рабочих дней после приёмки.',
          ),
        ),
        chapter(
          'Поставка',
          line('Товар поставляется не позднее ', gap('Срок поставки', 'date'), ' на склад Покупателя.'),
          line('За опоздание Поставщик платит 0,1 % стоимости непоставленного товара за каждый день.'),
        ),
        [
          section('Спецификация'),
          table(
            ['Товар', 'Количество, т', 'Цена за тонну, ₸'],
            [
              [gap('Товар', 'text', 'Пшеница 3 класса')],
              [gap('Количество', 'number')],
              [gap('Цена за тонну', 'number')],
            ],
          ),
        ],
        chapter(
          'Прочее',
          line('Споры решаются переговорами, а если согласия нет — в суде по месту нахождения ответчика.'),
          line(
            'Договор подписан электронными цифровыми подписями сторон и действует до 31 декабря следующего года.',
          ),
        ),
      ),
    ],
  },
  {
    organization: 'altyn-dala',
    author: 'daniyar@altyn-dala.example',
    name: 'Қызмет көрсету шарты',
    description: 'Бухгалтерлік және кеңес беру қызметтеріне',
    language: 'kk',
    visibility: 'public',
    blocks: [
      title('Қызмет көрсету шарты № ', gap('Шарт нөмірі')),
      paragraph('right', gap('Қала', 'text', 'Астана'), ' қаласы, ', gap('Күні', 'today')),
      line(
        gap('Тапсырыс беруші', 'organization'),
        ' (БСН ',
        gap('Біздің БСН', 'organizationBin'),
        '), бұдан әрі — «Тапсырыс беруші», және ',
        gap('Орындаушы'),
        ' (БСН/ЖСН ',
        gap('Орындаушының нөмірі', 'bin'),
        '), бұдан әрі — «Орындаушы», төмендегілер туралы осы шартты жасасты.',
      ),
      clauses(
        chapter(
          'Шарттың мәні',
          line('Орындаушы Тапсырыс берушіге ', gap('Қызмет атауы'), ' қызметін көрсетеді.'),
          line('Қызмет ', gap('Аяқталу күні', 'date'), ' дейін көрсетіледі.'),
        ),
        chapter(
          'Бағасы және төлем тәртібі',
          line('Қызметтің құны — ', gap('Сома', 'number'), ' теңге.'),
          line('Тапсырыс беруші қызмет көрсету актісіне қол қойылған соң 5 жұмыс күні ішінде төлейді.'),
        ),
        chapter(
          'Тараптардың жауапкершілігі',
          line(
            'Міндеттемелер орындалмаса, тараптар Қазақстан Республикасының заңнамасына сәйкес жауап береді.',
          ),
        ),
      ),
    ],
  },
  {
    organization: 'altyn-dala',
    author: 'aigerim@altyn-dala.example',
    name: 'Non-disclosure agreement',
    description: 'With foreign partners',
    language: 'en',
    visibility: 'public',
    blocks: [
      title('Non-disclosure agreement'),
      paragraph('right', gap('City', 'text', 'Astana'), ', ', gap('Date', 'today')),
      line(
        gap('Our organisation', 'organization'),
        ' and ',
        gap('Partner'),
        ', together “the Parties”, wish to discuss ',
        gap('Subject'),
        ' and agree as follows.',
      ),
      clauses(
        [line('Whatever one Party tells the other in confidence is used for the subject above alone.')],
        [
          line(
            'Nothing of it is shown to others without consent in writing, except where the law demands it.',
          ),
        ],
        [line('This agreement is in force until ', gap('Until', 'date'), '.')],
      ),
    ],
  },
  {
    organization: 'tulpar-trade',
    author: 'nurlan@tulpar-trade.example',
    name: 'Сенімхат',
    description: 'Қоймадан тауар алуға',
    language: 'kk',
    visibility: 'private',
    blocks: [
      title('Сенімхат № ', gap('Нөмірі')),
      paragraph('right', gap('Күні', 'today')),
      line(
        gap('Ұйым', 'organization'),
        ' ',
        gap('Қызметкердің аты-жөні'),
        ' (ЖСН ',
        gap('ЖСН', 'bin'),
        ') қоймадан мына тауарды алуға сенім білдіреді: ',
        gap('Тауар'),
        '.',
      ),
      line('Сенімхат ', gap('Жарамды мерзімі', 'date'), ' дейін жарамды.'),
    ],
  },
]

export async function addTemplates(
  tx: Tx,
  organizationIds: Map<string, string>,
  userIds: Map<string, string>,
  now: Date,
): Promise<void> {
  for (const [i, { organization, author, blocks, ...sample }] of samples.entries()) {
    await addTemplateRow(tx, {
      id: newId(),
      organizationId: organizationIds.get(organization)!,
      authorId: userIds.get(author)!,
      template: toHtml(blocks),
      createdAt: new Date(now.getTime() - i * minute),
      ...sample,
    })
  }
}
