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

/** Has a file generated if it is not ready, and saves it. */
export function useOutputSaving(output: Output, requestKey: RequestKey) {
  const { t, find } = useTexts('requests')
  const client = useQueryClient()
  const { kind, state } = output
  const [isWanted, setWanted] = useState(false)
  const refresh = () => client.invalidateQueries({ queryKey: query(getOutputs, requestKey).queryKey })
  const saving = useMutation({
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
  const { mutate: saveNow } = saving
  const wasSaved = useRef(false)
  useEffect(() => {
    // Save the file as soon as it is ready, without a second click.
    if (!isWanted || state !== 'ready' || wasSaved.current) return
    wasSaved.current = true
    saveNow()
  }, [isWanted, state, saveNow])
  const isMaking = ask.isPending || state === 'in-process'
  return {
    isMaking,
    isBusy: isMaking || saving.isPending,
    failure: state === 'failed' ? (find(`errors:${output.failure}.text`) ?? t('outputs.failed')) : null,
    save: () => {
      if (state === 'ready') return saveNow()
      wasSaved.current = false
      setWanted(true)
      ask.mutate()
    },
  }
}

export function OutputFile({ output, requestKey }: { output: Output; requestKey: RequestKey }) {
  const { t } = useTexts('requests')
  const { kind, madeAt } = output
  const { isMaking, isBusy, failure, save } = useOutputSaving(output, requestKey)
  const name = t(`outputs.${kind}`)
  return (
    <File
      name={name}
      note={noteOf()}
      tone={failure === null ? undefined : 'bad'}
      isBusy={isBusy}
      label={t(failure === null ? 'files.download' : 'outputs.again', { name })}
      onSave={save}
    />
  )

  function noteOf(): string {
    if (isMaking) return t('outputs.inProcess')
    if (failure !== null) return failure
    if (madeAt !== null) return t('outputs.madeAt', { time: formatMoment(madeAt) })
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
