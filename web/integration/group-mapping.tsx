/** The meaning of the sign-in service's groups; shown if the operator has configured a service with groups. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import classes from '../portal/shared/portal.module.css'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { Badge } from '../ui/look/badge.tsx'
import { Card } from '../ui/page/page.tsx'
import { GroupMappingDialog, type GroupMappingView } from './group-mapping-dialog.tsx'
import own from './integration.module.css'
import { groupMappingQuery } from './queries.ts'

export function GroupMapping() {
  const { t } = useTexts('integration')
  const { organization } = usePortalOrganization()
  const { data } = useQuery(groupMappingQuery(organization.Id))
  const changing = useDialog<null>()
  if (!data?.isOffered) return null
  const isLapsed = data.isOn && !data.isInForce && data.mappings.length > 0
  return (
    <section className={own.section}>
      <header className={own.head}>
        <h2>{t('mapping.title')}</h2>
        <Button variant="default" onClick={() => changing.open(null)}>
          {t('mapping.change')}
        </Button>
      </header>
      <p className={classes.help}>{t('mapping.lead')}</p>
      <div className={own.list}>
        <Card>
          <Badge tone={data.isOn && !isLapsed ? 'ok' : 'off'}>
            {t(data.isOn ? 'mapping.isOn' : 'mapping.isOff')}
          </Badge>
          {isLapsed && <p className={classes.help}>{t('mapping.notInForce')}</p>}
          <Meanings mapping={data} />
        </Card>
      </div>
      <GroupMappingDialog isOpen={changing.isOpen} mapping={data} onClose={changing.close} />
    </section>
  )
}

function Meanings({ mapping: { mappings, groups } }: { mapping: GroupMappingView }) {
  const { t } = useTexts('integration')
  if (mappings.length === 0) return <p className={classes.help}>{t('mapping.empty')}</p>
  return (
    <ul className={own.meanings}>
      {mappings.map(({ providerGroup, groupId, role }, place) => (
        <li key={place}>
          <b>{providerGroup}</b>
          <span>
            {role === null
              ? t('mapping.toGroup', {
                  name: groups.find(({ id }) => id === groupId)?.name ?? '',
                })
              : t('mapping.toRole', { name: t(`common:roles.${role}`) })}
          </span>
        </li>
      ))}
    </ul>
  )
}
