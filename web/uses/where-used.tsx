/** The part of a page that says where its subject is used. */
import { useQuery } from '@tanstack/react-query'
import type { UsedKind } from '@kelisim/domain/uses/contract.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { Card } from '../ui/page/page.tsx'
import { usesQuery } from './queries.ts'
import { UsesList } from './uses-list.tsx'
import classes from './uses.module.css'

/** Shows nothing until the uses are loaded, because the page does not wait for them. */
export function WhereUsed({ kind, id }: { kind: UsedKind; id: string }) {
  const { t } = useTexts()
  const { organization } = useWorkplace()
  const { data } = useQuery(usesQuery(organization.Id, kind, id))
  if (!data) return null
  return (
    <Card title={t('uses.title')}>
      {data.uses.length + data.more === 0 ? (
        <p className={classes.none}>{t(`uses.none.${kind}`)}</p>
      ) : (
        <UsesList {...data} />
      )}
    </Card>
  )
}
