/** The documents of a corrected request before the newest one, as files. */
import { useMutation } from '@tanstack/react-query'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { downloadRevision } from '@kelisim/domain/requests/correcting/contract.ts'
import { fetchFile, saveBytes } from '../../api/file-api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatMoment } from '../../ui/format/dates.ts'
import { CompareIcon } from '../../ui/look/icons.tsx'
import { CompareLink } from '../shared/compare-link.tsx'
import { File } from './request-file.tsx'
import classes from '../shared/request-page.module.css'
import type { RequestKey } from '../shared/queries.ts'
import type { RequestView } from '../shared/request-view.ts'

type Revision = RequestView['revisions'][number]

export function EarlierDocuments(props: {
  revisions: readonly Revision[]
  current: number
  requestKey: RequestKey
}) {
  const { t } = useTexts('requests')
  const download = useMutation({
    mutationFn: async ({ revision, fileName, format }: Revision) => {
      const bytes = await fetchFile(downloadRevision, { ...props.requestKey, revision })
      saveBytes(bytes, fileName, mediaTypes[format])
    },
  })
  return props.revisions.map((one) => (
    <File
      key={one.revision}
      name={t('correcting.revision', { number: one.revision })}
      note={`${one.fileName} · ${formatMoment(one.at)}`}
      further={
        <CompareLink
          requestKey={props.requestKey}
          before={one.revision}
          after={props.current}
          className={classes.compare}
          label={t('correcting.compareOne', { name: t('correcting.revision', { number: one.revision }) })}
        >
          <CompareIcon size={20} />
        </CompareLink>
      }
      isBusy={download.isPending && download.variables.revision === one.revision}
      onSave={() => download.mutate(one)}
    />
  ))
}
