/** The tables that an import gives back: an example to fill in, and the rows with something wrong. */
import { downloadBadRows, downloadImportTemplate } from '@kelisim/domain/member-import/contract.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Files } from '../http/files.ts'
import { findGroupNames } from '../portal/group-queries.ts'
import { safeName } from '../requests/reading/archive-names.ts'
import { giveXlsx } from '../tables/write-xlsx.ts'
import { mustFind, type ImportedPerson } from './people.ts'

export function importFiles(files: Files): void {
  files.give(downloadImportTemplate, async ({ who, db, language }) => {
    const t = textsOf(language, 'member-import')
    const columns = [
      { title: t('columns.email'), width: 32 },
      { title: t('columns.name'), width: 36 },
      { title: t('columns.iin'), width: 18 },
      { title: t('columns.groups'), width: 36 },
    ]
    const [group] = await findGroupNames(db, who.member.organizationId)
    const example = ['a.serikova@example.kz', t('template.name'), '', group?.name ?? '']
    return giveXlsx({ sheet: t('template.sheet'), columns, rows: [example] }, t('template.file'))
  })

  files.give(downloadBadRows, async ({ who, db, now, language }) => {
    const found = await mustFind(db, who.member.organizationId, now)
    const t = textsOf(language, 'member-import')
    const columns = [
      ...found.memberImport.columns.map((title) => ({ title, width: 28 })),
      { title: t('bad.reason'), width: 70 },
    ]
    const bad = found.people.filter(({ kind }) => kind === 'bad')
    const rows = bad.map((one) => [...one.row.cells, reasonsOf(one, language)])
    const base = found.memberImport.fileName.replace(/\.(xlsx|csv)$/i, '')
    const name = safeName(`${base} ${t('bad.suffix')}.xlsx`, 'rows.xlsx')
    return giveXlsx({ sheet: t('bad.sheet'), columns, rows }, name)
  })
}

function reasonsOf({ row, person }: ImportedPerson, language: Language): string {
  const t = textsOf(language, 'member-import')
  const problems = person.problems.map(({ field, problem, row: same, names }) => {
    const words = t(`problems.${problem}`, { row: same ?? 0, names: names ?? '' })
    return t('fieldProblem', { field: t(`columns.${field}`), problem: words })
  })
  if (row.failure === null) return problems.join('; ')
  const failed = textsOf(language, 'errors')(`${row.failure.alias}.text` as never, row.failure.parameters)
  return [...problems, failed].join('; ')
}
