/** The people and organisations of the demo: fictional but realistic, in both languages of the country. */
import type { RoleName } from '@kelisim/domain/identity/roles.ts'
import type { Language } from '@kelisim/texts/languages.ts'

export type Person = {
  email: string
  fullName: string
  /** The patronymic and the IIN, as in the certificates of the demo's centre. */
  patronymic: string
  iin: string
  language: Language
  note: Record<Language, string>
  /** Roles by organisation; every member is an employee. */
  roles: Record<string, RoleName[]>
  /** The organisations for which their key has the right to sign. */
  signsFor?: string[]
}

export const organizations = [
  {
    key: 'altyn-dala',
    bin: '260140020007',
    isIndividual: false,
    shortName: 'ТОО «Алтын Дала»',
    fullName: 'Товарищество с ограниченной ответственностью «Алтын Дала»',
    address: 'г. Астана, пр. Мәңгілік Ел, 17',
    phone: '+7 717 255 01 20',
    email: 'office@altyn-dala.example',
  },
  {
    key: 'tulpar-trade',
    bin: '240540017348',
    isIndividual: false,
    shortName: '«Тұлпар Трейд» ЖШС',
    fullName: '«Тұлпар Трейд» жауапкершілігі шектеулі серіктестігі',
    address: 'Алматы қ., Абай даңғылы, 52',
    phone: '+7 727 330 45 11',
    email: 'info@tulpar-trade.example',
  },
  {
    key: 'kasymov',
    bin: '880315300123',
    isIndividual: true,
    shortName: 'Қасымов Әлихан Ғабитұлы',
    fullName: 'Қасымов Әлихан Ғабитұлы',
    address: 'г. Шымкент, ул. Тәуке хан, 8',
    phone: '+7 701 555 08 03',
    email: 'alikhan@kasymov.example',
  },
]

export const people: Person[] = [
  {
    email: 'aigerim@altyn-dala.example',
    fullName: 'Айгерім Серікова',
    patronymic: 'Нұрланқызы',
    iin: '850412400310',
    language: 'ru',
    note: {
      ru: 'владелец, ТОО «Алтын Дала»',
      kk: 'иесі, «Алтын Дала» ЖШС',
      en: 'owner of Altyn Dala',
    },
    roles: { 'altyn-dala': ['Owner'] },
  },
  {
    email: 'daniyar@altyn-dala.example',
    fullName: 'Данияр Омаров',
    patronymic: 'Маратұлы',
    iin: '901108300543',
    language: 'ru',
    note: {
      ru: 'сотрудник двух организаций',
      kk: 'екі ұйымның қызметкері',
      en: 'employee of both organisations',
    },
    roles: { 'altyn-dala': ['Employee'], 'tulpar-trade': ['Employee'] },
  },
  {
    email: 'gulnar@altyn-dala.example',
    fullName: 'Гүлнар Оспанова',
    patronymic: 'Бақытқызы',
    iin: '930227400629',
    language: 'kk',
    note: {
      ru: 'администратор точек, ТОО «Алтын Дала»',
      kk: 'нүктелер әкімшісі, «Алтын Дала» ЖШС',
      en: 'administrator of points at Altyn Dala',
    },
    roles: { 'altyn-dala': ['PointsAdministrator'] },
  },
  {
    email: 'yerlan@altyn-dala.example',
    fullName: 'Ерлан Төлегенов',
    patronymic: 'Асқарұлы',
    iin: '880715300782',
    language: 'kk',
    note: {
      ru: 'администратор маршрутов, ТОО «Алтын Дала»',
      kk: 'бағыттар әкімшісі, «Алтын Дала» ЖШС',
      en: 'administrator of routes at Altyn Dala',
    },
    roles: { 'altyn-dala': ['SignaturePointsRoutesAdministrator'] },
  },
  {
    email: 'nurlan@tulpar-trade.example',
    fullName: 'Нұрлан Жақсыбеков',
    patronymic: 'Ерболұлы',
    iin: '791210300855',
    language: 'kk',
    note: {
      ru: 'владелец, «Тұлпар Трейд» ЖШС',
      kk: 'иесі, «Тұлпар Трейд» ЖШС',
      en: 'owner of Tulpar Trade',
    },
    roles: { 'tulpar-trade': ['Owner'] },
  },
  {
    email: 'maria@tulpar-trade.example',
    fullName: 'Мария Ли',
    patronymic: 'Викторовна',
    iin: '950804400916',
    language: 'ru',
    note: {
      ru: 'сотрудник, «Тұлпар Трейд» ЖШС',
      kk: 'қызметкер, «Тұлпар Трейд» ЖШС',
      en: 'employee of Tulpar Trade',
    },
    roles: { 'tulpar-trade': ['Employee'] },
    signsFor: ['tulpar-trade'],
  },
  {
    email: 'alikhan@kasymov.example',
    fullName: 'Әлихан Қасымов',
    patronymic: 'Ғабитұлы',
    iin: '880315300123',
    language: 'kk',
    note: {
      ru: 'физическое лицо',
      kk: 'жеке тұлға',
      en: 'an individual',
    },
    roles: { kasymov: ['Owner'] },
  },
]

export const groups = [
  {
    organization: 'altyn-dala',
    name: 'Руководство',
    participants: ['aigerim@altyn-dala.example'],
  },
  {
    organization: 'altyn-dala',
    name: 'Бухгалтерия',
    participants: ['daniyar@altyn-dala.example', 'gulnar@altyn-dala.example'],
  },
  {
    organization: 'altyn-dala',
    name: 'Юристы',
    participants: ['yerlan@altyn-dala.example', 'gulnar@altyn-dala.example'],
  },
  {
    organization: 'tulpar-trade',
    name: 'Басшылық',
    participants: ['nurlan@tulpar-trade.example'],
  },
  {
    organization: 'tulpar-trade',
    name: 'Сатып алу бөлімі',
    participants: ['maria@tulpar-trade.example', 'daniyar@altyn-dala.example'],
  },
]
