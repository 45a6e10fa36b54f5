/** The tags of a request, changed in place by whoever may. */
import { useState } from 'react'
import { Button, Group, MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { getClassifiers } from '@kelisim/domain/classifiers/contract.ts'
import { updateRequest } from '@kelisim/domain/requests/contract.ts'
import { call, query } from '../api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Card } from '../ui/page.tsx'
import { toast } from '../ui/toast.tsx'
import classes from './request-page.module.css'
import type { RequestView } from './request-view.ts'
import type { RequestKey } from './use-request.ts'

type Tag = RequestView['classificators'][number]

export function RequestTags(props: {
  request: RequestView
  requestKey: RequestKey
  onKept: (request: RequestView) => void
}) {
  const { t } = useTexts('requests')
  const [isChanging, setChanging] = useState(false)
  const { classificators, canEdit } = props.request
  return (
    <Card title={t('tags.title')}>
      {isChanging ? (
        <Editor
          tags={classificators}
          requestKey={props.requestKey}
          onCancel={() => setChanging(false)}
          onKept={(saved) => {
            setChanging(false)
            props.onKept(saved)
          }}
        />
      ) : (
        <div className={classes.tags}>
          {classificators.length === 0 && <span className={classes.quiet}>{t('tags.none')}</span>}
          {classificators.map(({ classificatorId, name }) => (
            <span key={classificatorId} className={classes.tag}>
              {name}
            </span>
          ))}
          {canEdit && (
            <Button variant="default" size="compact-md" onClick={() => setChanging(true)}>
              {t('tags.change')}
            </Button>
          )}
        </div>
      )}
    </Card>
  )
}

const offered = 50
const delay = 250

function Editor(props: {
  tags: readonly Tag[]
  requestKey: RequestKey
  onCancel: () => void
  onKept: (request: RequestView) => void
}) {
  const { t } = useTexts('requests')
  const [chosen, setChosen] = useState<readonly Tag[]>(props.tags)
  const [typed, setTyped] = useState('')
  const [name] = useDebouncedValue(typed.trim(), delay)
  const { organizationId } = props.requestKey
  const { data } = useQuery({
    ...query(getClassifiers, {
      organizationId,
      skip: 0,
      take: offered,
      sort: 'name',
      ...(name && { name }),
    }),
    placeholderData: keepPreviousData,
  })
  const saving = useMutation({
    mutationFn: () =>
      call(updateRequest, {
        ...props.requestKey,
        classificatorsV2: chosen.map(({ classificatorId }) => classificatorId),
      }),
    onSuccess: (saved) => {
      toast(t('tags.saved'))
      props.onKept(saved)
    },
  })
  const known = new Map([...chosen, ...(data?.items ?? [])].map((tag) => [tag.classificatorId, tag.name]))
  return (
    <>
      <MultiSelect
        label={t('tags.choose')}
        size="md"
        data-autofocus
        searchable
        hidePickedOptions
        maxValues={20}
        searchValue={typed}
        onSearchChange={setTyped}
        // The server has found them already.
        filter={({ options }) => options}
        data={[...known].map(([value, label]) => ({ value, label }))}
        value={chosen.map(({ classificatorId }) => classificatorId)}
        onChange={(ids) => setChosen(ids.map((id) => ({ classificatorId: id, name: known.get(id) ?? '' })))}
        nothingFoundMessage={t('tags.empty')}
      />
      <Group mt={12} gap={8}>
        <Button loading={saving.isPending} onClick={() => saving.mutate()}>
          {t('common:actions.save')}
        </Button>
        <Button variant="default" onClick={props.onCancel}>
          {t('common:actions.cancel')}
        </Button>
      </Group>
    </>
  )
}
