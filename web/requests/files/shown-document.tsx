/** The document of a request; during a termination also the terminating document, which is then the one to sign. */
import { useState } from 'react'
import { Alert, SegmentedControl } from '@mantine/core'
import type { QueryClient } from '@tanstack/react-query'
import { downloadRequestFile } from '@kelisim/domain/requests/files-contract.ts'
import { fetchFile } from '../../api/file-api.ts'
import type { Places } from '../../documents/preview/places/place.ts'
import { FilePreview } from '../../documents/preview/preview.tsx'
import { formatMoment } from '../../ui/format/dates.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import type { RequestKey } from '../shared/queries.ts'
import { processOfRequest, type RequestView } from '../shared/request-view.ts'
import { useSeals } from './seals.ts'

export function ShownDocument(props: {
  request: RequestView
  requestKey: RequestKey
  /** The comment places of the document itself; left out where commenting is not offered. */
  places?: Places | undefined
}) {
  const { request, requestKey } = props
  const { t } = useTexts('requests')
  const { document, termination } = request
  const seals = useSeals(request)
  const isTerminating = processOfRequest(request) === 'terminating'
  const [chosen, setChosen] = useState<'original' | 'terminating' | null>(null)
  const file = termination ? (chosen ?? (isTerminating ? 'terminating' : 'original')) : 'original'
  const shown =
    file === 'original'
      ? { name: document.fileName, format: document.format }
      : { name: termination!.fileName, format: 'pdf' as const }
  // Without seals and comments the preview needs no places.
  const places = seals.length > 0 ? { ...(props.places ?? noPlaces), seals } : props.places
  const version = file === 'terminating' ? termination!.attempt : request.revision
  if (document.destroyedAt !== null) {
    return (
      <Alert variant="light" color="gray">
        {t('destroyed', { date: formatMoment(document.destroyedAt) })}
      </Alert>
    )
  }
  return (
    <>
      {termination && (
        <SegmentedControl
          mb={12}
          aria-label={t('page.shown')}
          data={[
            { value: 'original', label: t('page.document') },
            { value: 'terminating', label: t('page.terminatingDocument') },
          ]}
          value={file}
          onChange={(value) => setChosen(value === 'terminating' ? 'terminating' : 'original')}
        />
      )}
      <FilePreview
        key={`${file} ${version}`}
        {...shown}
        {...sourceOf(requestKey, file, version)}
        places={file === 'original' ? places : undefined}
      />
    </>
  )
}

const noPlaces: Places = { marks: [], shown: null, onOpen: () => {} }

function sourceOf(requestKey: RequestKey, file: 'original' | 'terminating', version: number) {
  const input = { ...requestKey, file }
  return {
    queryKey: [downloadRequestFile.path, input, version],
    load: (signal: AbortSignal) => fetchFile(downloadRequestFile, input, signal),
  }
}

/** Loads the document that will probably be shown next into the cache. */
export function prefetchDocument(client: QueryClient, requestKey: RequestKey, revision: number): void {
  const { queryKey, load } = sourceOf(requestKey, 'original', revision)
  void client.prefetchQuery({ queryKey, queryFn: ({ signal }) => load(signal), staleTime: Infinity })
}
