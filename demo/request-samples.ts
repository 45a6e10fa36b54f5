/** The requests of the demo: who sent what, and what people did with it. Together they cover every status. */

export type SampleAct =
  /**
   * `key`: whose key signs. By default that of the organisation in whose name the person signs, or `own`, the
   * personal one; a signature with the wrong key is refused.
   */
  | { act: 'sign'; by: string; inNameOf: string; key?: 'own' }
  | { act: 'approve' | 'confirm'; by: string; inNameOf: string; comment?: string }
  | { act: 'reject'; by: string; inNameOf: string; comment: string }
  | { act: 'withdraw'; comment: string }
  | { act: 'terminate'; by: string; inNameOf: string; comment: string }

export type RequestSample = {
  organization: string
  author: string
  /** The name of the route. */
  route: string
  name: string
  description?: string
  text: string[]
  /**
   * Waits for somebody in the demo, so its document is written as a PDF, which takes longer than uploading a file.
   */
  isWritten?: true
  daysAgo: number
  tags?: string[]
  /** The kind of document, by its name; some kinds give a number at sending. */
  kind?: string
  acts: SampleAct[]
}

export const aigerim = 'aigerim@altyn-dala.example'
const daniyar = 'daniyar@altyn-dala.example'
const gulnar = 'gulnar@altyn-dala.example'
const yerlan = 'yerlan@altyn-dala.example'
const nurlan = 'nurlan@tulpar-trade.example'
const maria = 'maria@tulpar-trade.example'
const alikhan = 'alikhan@kasymov.example'
const altyn = 'altyn-dala'
const tulpar = 'tulpar-trade'

const supply = 'Договор поставки с «Тұлпар Трейд»'
const addition = 'Дополнительное соглашение через отдел закупок'
const order = 'Приказ по учётной политике'
const contract = '«Алтын Дала» ЖШС-мен жеткізу шарты'
const bill = 'Счёт на оплату'

/** Approved by both lawyers with their own keys, and by the accountants. */
const examined: SampleAct[] = [
  { act: 'approve', by: gulnar, inNameOf: altyn, comment: 'Суммы и сроки сверены' },
  { act: 'sign', by: yerlan, inNameOf: altyn, key: 'own' },
  { act: 'sign', by: gulnar, inNameOf: altyn, key: 'own' },
]
const byLawyers = examined.slice(1)
const directorSigns: SampleAct = { act: 'sign', by: aigerim, inNameOf: altyn }
const purchasingSigns: SampleAct = { act: 'sign', by: maria, inNameOf: tulpar }
const accountantApproves: SampleAct = { act: 'approve', by: daniyar, inNameOf: altyn }
const purchasingApproves: SampleAct = { act: 'approve', by: maria, inNameOf: tulpar }
const nurlanSigns: SampleAct = { act: 'sign', by: nurlan, inNameOf: tulpar }
/** Signed by both sides. */
const added: SampleAct[] = [accountantApproves, directorSigns, purchasingSigns]

export const requestSamples: RequestSample[] = [
  {
    organization: altyn,
    author: aigerim,
    route: addition,
    name: 'Договор хранения зерна № 2/2025',
    description: 'Элеватор в Кокшетау',
    text: [
      'Хранитель принимает на хранение пшеницу 3 класса, до 1 200 тонн.',
      'Плата: 420 тенге за тонну в месяц.',
    ],
    daysAgo: 34,
    kind: 'Договор',
    tags: ['Договоры поставки'],
    acts: [
      ...added,
      {
        act: 'terminate',
        by: aigerim,
        inNameOf: altyn,
        comment: 'Зерно вывезено полностью, хранение больше не нужно.',
      },
      directorSigns,
      purchasingSigns,
    ],
  },
  {
    organization: altyn,
    author: yerlan,
    route: supply,
    name: 'Договор поставки пшеницы № 13/2026',
    text: ['Поставщик поставляет пшеницу 3 класса.', 'Цена тонны: 98 500 тенге.'],
    daysAgo: 21,
    kind: 'Договор',
    tags: ['Договоры поставки'],
    acts: [{ act: 'withdraw', comment: 'Загружен черновик без приложения № 1, отправлю заново.' }],
  },
  {
    organization: altyn,
    author: aigerim,
    route: supply,
    name: 'Договор поставки пшеницы № 14/2026',
    isWritten: true,
    description: 'Поставка зерна на год вперёд',
    text: [
      'Поставщик поставляет пшеницу 3 класса, 500 тонн в месяц.',
      'Цена тонны: 98 500 тенге с доставкой.',
      'Покупатель платит в течение десяти дней после каждой поставки.',
      'Договор действует до 31 декабря 2027 года.',
    ],
    daysAgo: 20,
    kind: 'Договор',
    tags: ['Договоры поставки'],
    acts: [...examined, directorSigns, nurlanSigns],
  },
  {
    organization: altyn,
    author: aigerim,
    route: addition,
    name: 'Дополнительное соглашение № 2',
    description: 'Новая цена с октября',
    text: ['Пункт 2 договора № 11/2026 изложить в новой редакции: цена тонны 96 000 тенге.'],
    daysAgo: 16,
    kind: 'Договор',
    acts: [
      ...added,
      {
        act: 'terminate',
        by: aigerim,
        inNameOf: altyn,
        comment: 'Стороны договорились о новых ценах, соглашение заменяется следующим.',
      },
      directorSigns,
    ],
  },
  {
    organization: altyn,
    author: yerlan,
    route: addition,
    name: 'Соглашение о рассрочке № 5',
    text: ['Покупатель платит долг тремя равными частями до 1 марта 2027 года.'],
    daysAgo: 14,
    kind: 'Договор',
    acts: [
      ...added,
      { act: 'terminate', by: aigerim, inNameOf: altyn, comment: 'Долг погашен досрочно.' },
      { act: 'sign', by: aigerim, inNameOf: altyn, key: 'own' },
    ],
  },
  {
    organization: altyn,
    author: yerlan,
    route: addition,
    name: 'Дополнительное соглашение № 3',
    text: ['Срок оплаты увеличить до двадцати дней.'],
    daysAgo: 9,
    kind: 'Договор',
    acts: [
      {
        act: 'reject',
        by: daniyar,
        inNameOf: altyn,
        comment: 'Сумма в пункте 2 не совпадает с договором. Исправьте и отправьте заново.',
      },
    ],
  },
  {
    organization: altyn,
    author: aigerim,
    route: order,
    name: 'Приказ № 112-к о командировке',
    text: ['Направить главного бухгалтера Омарова Данияра в г. Алматы с 23 по 26 ноября 2026 года.'],
    daysAgo: 7,
    tags: ['Приказы', 'Кадры'],
    acts: [...byLawyers, directorSigns, { act: 'confirm', by: daniyar, inNameOf: altyn }],
  },
  {
    organization: altyn,
    author: yerlan,
    route: order,
    name: 'Приказ об учётной политике на 2027 год',
    text: [
      'Утвердить учётную политику на 2027 год.',
      'Главному бухгалтеру ознакомить сотрудников под подпись.',
    ],
    daysAgo: 5,
    kind: 'Приказ',
    tags: ['Приказы'],
    acts: [...byLawyers, directorSigns],
  },
  {
    organization: altyn,
    author: aigerim,
    route: 'Акт выполненных работ с исполнителем',
    name: 'Акт выполненных работ за октябрь',
    description: 'Ремонт весовой, исполнитель Қасымов Ә. Ғ.',
    text: [
      'Исполнитель выполнил, а заказчик принял ремонт автомобильных весов.',
      'Стоимость: 460 000 тенге.',
    ],
    daysAgo: 4,
    tags: ['Счета и акты'],
    acts: [
      { act: 'approve', by: alikhan, inNameOf: 'kasymov' },
      { act: 'approve', by: gulnar, inNameOf: altyn },
      { act: 'sign', by: aigerim, inNameOf: altyn, key: 'own' },
    ],
  },
  {
    organization: altyn,
    author: yerlan,
    route: supply,
    name: 'Договор поставки масла № 15/2026',
    isWritten: true,
    description: 'Подсолнечное масло, 40 тонн до конца года',
    text: ['Поставщик поставляет подсолнечное масло наливом.', 'Цена литра: 640 тенге.'],
    daysAgo: 3,
    tags: ['Договоры поставки'],
    acts: examined,
  },
  {
    organization: altyn,
    author: aigerim,
    route: addition,
    name: 'Дополнительное соглашение № 4',
    isWritten: true,
    description: 'Взамен соглашения № 2',
    text: ['Цена тонны с 1 декабря 2026 года: 97 200 тенге.'],
    daysAgo: 2,
    tags: ['Договоры поставки'],
    acts: [accountantApproves, directorSigns],
  },
  {
    organization: altyn,
    author: aigerim,
    route: supply,
    name: 'Договор аренды склада № 7/2026',
    isWritten: true,
    text: ['Арендодатель передаёт склад площадью 860 кв. м в г. Астане.', 'Плата: 1 900 000 тенге в месяц.'],
    daysAgo: 1,
    acts: [],
  },
  {
    organization: tulpar,
    author: nurlan,
    route: contract,
    name: 'Жеткізу шарты № 5/2026',
    text: ['Жеткізуші арпа жеткізеді, айына 200 тонна.', 'Тоннасының бағасы: 71 200 теңге.'],
    daysAgo: 28,
    tags: ['Шарттар'],
    acts: [
      purchasingApproves,
      nurlanSigns,
      directorSigns,
      { act: 'terminate', by: nurlan, inNameOf: tulpar, comment: 'Тараптар келісіп, жаңа шартқа көшті.' },
      nurlanSigns,
      directorSigns,
    ],
  },
  {
    organization: tulpar,
    author: maria,
    route: bill,
    name: 'Счёт на оплату № 2231',
    text: ['Оплата за перевозку зерна, октябрь 2026 года.', 'К оплате: 1 284 000 тенге.'],
    daysAgo: 11,
    tags: ['Шот-фактуралар'],
    acts: [purchasingApproves, nurlanSigns],
  },
  {
    organization: tulpar,
    author: maria,
    route: bill,
    name: 'Счёт на оплату № 2235',
    text: ['Оплата за охрану склада, октябрь 2026 года.'],
    daysAgo: 10,
    acts: [{ act: 'withdraw', comment: 'Поставщик прислал исправленный счёт.' }],
  },
  {
    organization: tulpar,
    author: nurlan,
    route: contract,
    name: 'Жеткізу шарты № 6/2026',
    text: ['Жеткізуші бидай жеткізеді, айына 300 тонна.'],
    daysAgo: 8,
    tags: ['Шарттар'],
    acts: [{ act: 'reject', by: maria, inNameOf: tulpar, comment: 'Жеткізу мерзімі көрсетілмеген.' }],
  },
  {
    organization: tulpar,
    author: nurlan,
    route: contract,
    name: 'Жеткізу шарты № 7/2026',
    text: ['Жеткізуші бидай жеткізеді, айына 300 тонна.', 'Жеткізу мерзімі: әр айдың 10-ына дейін.'],
    daysAgo: 6,
    tags: ['Шарттар'],
    acts: [
      purchasingApproves,
      nurlanSigns,
      directorSigns,
      { act: 'terminate', by: nurlan, inNameOf: tulpar, comment: 'Көлемі өзгерді, жаңа шарт дайындалды.' },
    ],
  },
  {
    organization: tulpar,
    author: maria,
    route: bill,
    name: 'Шот-фактура № 118',
    text: ['Қойма жалдау, 2026 жылғы қараша.', 'Төлеуге: 540 000 теңге.'],
    daysAgo: 4,
    acts: [purchasingApproves, { act: 'sign', by: nurlan, inNameOf: tulpar, key: 'own' }],
  },
  {
    organization: tulpar,
    author: nurlan,
    route: contract,
    name: 'Жеткізу шарты № 8/2026',
    isWritten: true,
    description: 'Күзгі бидай, алдын ала төлемсіз',
    text: ['Жеткізуші бидай жеткізеді, айына 350 тонна.', 'Жеткізу мерзімі: әр айдың 10-ына дейін.'],
    daysAgo: 2,
    tags: ['Шарттар'],
    acts: [purchasingApproves, nurlanSigns],
  },
  {
    organization: tulpar,
    author: nurlan,
    route: bill,
    name: 'Счёт на оплату № 2240',
    isWritten: true,
    text: ['Оплата за транспортные услуги, ноябрь 2026 года.', 'К оплате: 912 500 тенге.'],
    daysAgo: 1,
    acts: [],
  },
]
