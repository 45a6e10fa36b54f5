/** Files that are generated on demand: requested, polled while they are generated, and saved when ready. */
import { useEffect, useRef, useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { processKinds } from '@kelisim/domain/requests/status.ts'
import {
  downloadOutput,
  generateEvidence,
  generateSignedDocument,
  generateSigningReport,
  getOutputs,
  type OutputKind,
  type OutputView,
} from '@kelisim/domain/outputs/contract.ts'
import { call, query } from '../../api/api.ts'
import { fetchFile, saveBytes } from '../../api/file-api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatMoment } from '../../ui/format/dates.ts'
import { File } from './request-file.tsx'
import type { RequestKey } from '../shared/queries.ts'

type Output = z.output<typeof OutputView>
type Outputs = z.output<typeof getOutputs.result>

const lookEvery = 1000

/** `version` changes with the request: files generated for an earlier version are out of date. */
export function useOutputs(requestKey: RequestKey, version: string) {
  const options = query(getOutputs, requestKey)
  return useQuery({
    ...options,
    queryKey: [...options.queryKey, version],
    placeholderData: (before: Outputs | undefined) => before,
    refetchInterval: ({ state }) =>
      state.data?.outputs.some((output) => output.state === 'in-process') ? lookEvery : false,
  }).data
}

export function OutputFile({ output, requestKey }: { output: Output; requestKey: RequestKey }) {
  const { t, find } = useTexts('requests')
  const client = useQueryClient()
  const { kind, state } = output
  const [isWanted, setWanted] = useState(false)
  const refresh = () => client.invalidateQueries({ queryKey: query(getOutputs, requestKey).queryKey })
  const save = useMutation({
    mutationFn: async () => {
      const mediaType = kind === 'evidence' ? 'application/zip' : 'application/pdf'
      saveBytes(await fetchFile(downloadOutput, { ...requestKey, kind }), output.fileName, mediaType)
    },
    onError: refresh,
  })
  const ask = useMutation({
    mutationFn: () => askFor(kind, requestKey),
    onSuccess: refresh,
    onError: () => setWanted(false),
  })
  const { mutate: saveNow } = save
  const wasSaved = useRef(false)
  useEffect(() => {
    // Save the file as soon as it is ready, without a second click.
    if (!isWanted || state !== 'ready' || wasSaved.current) return
    wasSaved.current = true
    saveNow()
  }, [isWanted, state, saveNow])

  const isBusy = ask.isPending || save.isPending || state === 'in-process'
  const why = state === 'failed' ? (find(`errors:${output.failure}.text`) ?? t('outputs.failed')) : null
  return (
    <File
      name={t(`outputs.${kind}`)}
      note={noteOf()}
      tone={why === null ? undefined : 'bad'}
      isBusy={isBusy}
      label={t(why === null ? 'files.download' : 'outputs.again', { name: t(`outputs.${kind}`) })}
      onSave={() => {
        if (state === 'ready') return save.mutate()
        wasSaved.current = false
        setWanted(true)
        ask.mutate()
      }}
    />
  )

  function noteOf(): string {
    if (state === 'in-process' || ask.isPending) return t('outputs.inProcess')
    if (why !== null) return why
    if (output.madeAt !== null) return t('outputs.madeAt', { time: formatMoment(output.madeAt) })
    return t(`outputs.about.${kind}`)
  }
}

function askFor(kind: OutputKind, requestKey: RequestKey): Promise<Output> {
  switch (kind) {
    case 'printable':
      return call(generateSignedDocument, requestKey)
    case 'terminating':
      return call(generateSignedDocument, { ...requestKey, associationType: processKinds.terminating })
    case 'report':
      return call(generateSigningReport, requestKey)
    case 'evidence':
      return call(generateEvidence, requestKey)
  }
}
