/** The other documents of the package, with what can be done for all of them at once. */
import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { emptyId } from '@kelisim/domain/fields.ts'
import { requestPage } from '@kelisim/domain/pages.ts'
import { downloadRequests } from '@kelisim/domain/requests/list-contract.ts'
import { fetchFile, saveBytes } from '../../api/file-api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { toast } from '../../ui/dialogs/toast.tsx'
import { DownloadIcon } from '../../ui/look/icons.tsx'
import { Card } from '../../ui/page/page.tsx'
import type { RequestKey } from '../shared/queries.ts'
import { RequestStatusMark } from '../shared/request-status.tsx'
import type { RequestView } from '../shared/request-view.ts'
import { answersOf, type PackageAnswer } from './package-answer.ts'
import classes from './packages.module.css'

export function PackageCard(props: {
  request: RequestView
  requestKey: RequestKey
  onAnswer: (answer: PackageAnswer) => void
}) {
  const { t } = useTexts('requests-packages')
  const { request, requestKey, onAnswer } = props
  const { package: sentIn } = request
  if (!sentIn) return null
  const place = sentIn.requests.findIndex(({ id }) => id === request.id) + 1
  const isMember = requestKey.organizationId !== emptyId
  return (
    <Card title={t('card.title', { name: sentIn.name })}>
      <p className={classes.quiet}>
        {t('card.place', { place, total: sentIn.requests.length })}
        {sentIn.isTogether && ` ${t('card.together')}`}
      </p>
      <ol className={classes.documents} aria-label={t('card.documents')}>
        {sentIn.requests.map((one) => (
          <li key={one.id}>
            <DocumentLink one={one} isShown={one.id === request.id} isMember={isMember} />
            <RequestStatusMark status={one.status} awaited={null} />
          </li>
        ))}
      </ol>
      <Group gap={8} mt={12}>
        {/* In a package that is decided together, the answer to this document already is the answer to all. */}
        {(sentIn.isTogether ? [] : answersOf(request)).map((answer) => (
          <Button
            key={`${answer.act}:${answer.pointId}`}
            variant={answer.act === 'reject' ? 'default' : 'light'}
            {...(answer.act === 'reject' && { c: 'var(--bad)' })}
            onClick={() => onAnswer(answer)}
          >
            {t(`all.${answer.act}`, { count: answer.requests.length })}
          </Button>
        ))}
        {isMember && <SaveAll requestKey={requestKey} sentIn={sentIn} />}
      </Group>
    </Card>
  )
}

type Package = NonNullable<RequestView['package']>

function DocumentLink(props: { one: Package['requests'][number]; isShown: boolean; isMember: boolean }) {
  const { one, isShown, isMember } = props
  if (isShown) return <b aria-current="page">{one.name}</b>
  if (!isMember) return <a href={requestPage(one.id)}>{one.name}</a>
  return (
    <Link to="/signingRequests/$route/$id" params={{ route: 'all', id: one.id }}>
      {one.name}
    </Link>
  )
}

/** Every document with its signatures, in one archive. */
function SaveAll({ requestKey, sentIn }: { requestKey: RequestKey; sentIn: Package }) {
  const { t } = useTexts('requests-packages')
  const saving = useMutation({
    mutationFn: async () => {
      const ids = sentIn.requests.map(({ id }) => id).join(',')
      const { organizationId } = requestKey
      saveBytes(
        await fetchFile(downloadRequests, { organizationId, ids }),
        `${sentIn.name.replaceAll(/[\\/:*?"<>|]/g, '_')}.zip`,
        'application/zip',
      )
      toast(t('card.saved'))
    },
  })
  return (
    <Button
      variant="default"
      leftSection={<DownloadIcon size={18} />}
      loading={saving.isPending}
      onClick={() => saving.mutate()}
    >
      {t('card.save')}
    </Button>
  )
}
