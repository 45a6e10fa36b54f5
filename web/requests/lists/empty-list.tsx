/** An empty list of requests: how to begin, and for people in no group why nothing arrives. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { getGroups } from '@kelisim/domain/portal/contract.ts'
import type { RequestPath } from '@kelisim/domain/requests/list-contract.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { myGroupsAddress, portalAddress } from '../../shell/session/portal-address.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { EmptyPicture } from '../../ui/look/pictures.tsx'
import { NoData, State } from '../../ui/page/states.tsx'

export function NoRequests({ path }: { path: RequestPath }) {
  const { t } = useTexts('requests-lists')
  const { role, organization } = useWorkplace()
  const navigate = useNavigate()
  const isOwner = role === 'Owner'
  const asksForGroups = path === 'incomings' && !isOwner
  const { data: groups } = useQuery({
    ...query(getGroups, { organizationId: organization.Id, skip: 0, take: 1, mine: 'true' }),
    enabled: asksForGroups,
  })
  if (asksForGroups && groups?.totalCount === 0) {
    return (
      <State picture={<EmptyPicture />} title={t('requests.nobody.title')} text={t('requests.nobody.text')}>
        <Button component="a" href={myGroupsAddress()}>
          {t('requests.nobody.button')}
        </Button>
      </State>
    )
  }
  return (
    <NoData text={t(`requests.${path === 'incomings' ? 'incoming' : 'outgoing'}.empty`)}>
      <Button
        onClick={() =>
          void navigate({ to: '/documents/$path', params: { path: 'my' }, search: { upload: true } })
        }
      >
        {t('requests.start')}
      </Button>
      {isOwner && (
        <Button component="a" variant="default" href={portalAddress(organization.Id, 'members')}>
          {t('requests.invite')}
        </Button>
      )}
    </NoData>
  )
}
