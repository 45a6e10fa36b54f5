/** Import of members: a table is dropped, its rows show their problems, and people of correct rows are invited. */
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { addMemberImport, downloadImportTemplate } from '@kelisim/domain/member-import/contract.ts'
import type { ApiError } from '../api/api.ts'
import { fetchFile, saveBytes, sendFile } from '../api/file-api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { OwnersOnly } from '../portal/shared/owners-only.tsx'
import { usePortal, usePortalOrganization } from '../portal/shared/place.ts'
import { TableDrop } from '../ui/form/table-drop.tsx'
import { DownloadIcon } from '../ui/look/icons.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Page } from '../ui/page/page.tsx'
import { ImportedTable } from './imported-table.tsx'
import { importQuery, type ImportView } from './queries.ts'

/** How often the progress is read while people are invited. */
const followEvery = 1500

export function ImportPage() {
  return (
    <OwnersOnly>
      <Import />
    </OwnersOnly>
  )
}

function Import() {
  const { t } = useTexts('member-import')
  const { organization } = usePortalOrganization()
  const { returnUri } = usePortal()
  const { data, error, refetch } = useQuery({
    ...importQuery(organization.Id),
    refetchInterval: ({ state }) => (state.data?.memberImport?.isRunning ? followEvery : false),
  })
  const back = (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link
          {...props}
          to="/portal/$organizationId/invitations"
          params={{ organizationId: organization.Id }}
          search={returnUri === null ? {} : { returnUri }}
        />
      )}
    >
      {t('back')}
    </Button>
  )
  return (
    <Page title={t('title')} lead={t('lead')} action={back}>
      {error && !data && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {!error && !data && <LoadingLines />}
      {data && !data.memberImport?.isRunning && <ImportDrop organizationId={organization.Id} />}
      {data?.memberImport && (
        <ImportedTable
          key={data.memberImport.id}
          memberImport={data.memberImport}
          organizationId={organization.Id}
        />
      )}
    </Page>
  )
}

function ImportDrop({ organizationId }: { organizationId: string }) {
  const { t, find } = useTexts('member-import')
  const client = useQueryClient()
  const uploading = useMutation<ImportView, ApiError, File>({
    mutationFn: (file) => {
      const { signal } = new AbortController()
      const name = file.name.slice(-250)
      return sendFile(addMemberImport, { organizationId, name }, file, { signal, onProgress: () => {} })
    },
    // The error is shown beside the file.
    meta: { showsErrors: true },
    onSuccess: (memberImport) => client.setQueryData(importQuery(organizationId).queryKey, { memberImport }),
  })
  const example = useMutation({
    mutationFn: async () => {
      const bytes = await fetchFile(downloadImportTemplate, { organizationId })
      saveBytes(bytes, t('template.file'), mediaTypes.xlsx)
    },
  })
  const { error } = uploading
  const words = { drop: t('drop'), choose: t('choose'), reading: t('reading'), limits: t('limits') }
  return (
    <TableDrop
      words={words}
      isReading={uploading.isPending}
      fault={error && wordsOf(error)}
      more={
        <Button
          variant="default"
          leftSection={<DownloadIcon size={18} />}
          loading={example.isPending}
          onClick={() => example.mutate()}
        >
          {t('download')}
        </Button>
      }
      onFile={(file) => uploading.mutate(file)}
    />
  )

  function wordsOf({ alias, message, parameters }: ApiError): string {
    const { fault } = parameters
    if (fault === 'no-email') return t('noEmail')
    const ofFault = typeof fault === 'string' ? find(`bulk:faults.${fault}`, { ...parameters }) : null
    return ofFault ?? find(`errors:${alias}.text`, { ...parameters }) ?? message
  }
}
