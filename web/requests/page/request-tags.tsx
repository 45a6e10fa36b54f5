/** The tags of a request; people with the permission can change them in place. */
import { useState } from 'react'
import { Button, Group, MultiSelect } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { updateRequest } from '@kelisim/domain/requests/contract.ts'
import { call } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useDirty } from '../../ui/form/dirty.ts'
import { Card } from '../../ui/page/page.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import { useClassifierSearch } from '../shared/classifier-picker.tsx'
import classes from '../shared/request-page.module.css'
import type { RequestView } from '../shared/request-view.ts'
import type { RequestKey } from '../shared/queries.ts'

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

function Editor(props: {
  tags: readonly Tag[]
  requestKey: RequestKey
  onCancel: () => void
  onKept: (request: RequestView) => void
}) {
  const { t } = useTexts('requests')
  const kept = props.tags.map(({ classificatorId }) => classificatorId)
  const [chosen, setChosen] = useState(kept)
  useDirty(chosen.join() !== kept.join())
  const { data, typed, setTyped, isSearching, offer, keep } = useClassifierSearch(chosen)
  const saving = useMutation({
    mutationFn: () => call(updateRequest, { ...props.requestKey, classificatorsV2: chosen }),
    onSuccess: (saved) => {
      toast(t('tags.saved'))
      props.onKept(saved)
    },
  })
  return (
    <>
      <MultiSelect
        label={t('tags.choose')}
        size="md"
        searchable
        hidePickedOptions
        maxValues={20}
        searchValue={typed}
        onSearchChange={setTyped}
        // The server has already filtered them.
        filter={({ options }) => offer(options)}
        data={data}
        value={chosen}
        onChange={(ids) => {
          keep()
          setChosen(ids)
        }}
        nothingFoundMessage={isSearching ? t('common:loading') : t('tags.empty')}
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
