/** Confirms an organisation, or the person, by a digital signature. */
import { useState } from 'react'
import { Alert, Anchor, Button, Group, Radio, Stack } from '@mantine/core'
import { claimKinds, type ClaimKind } from '@kelisim/domain/identity/confirmation.ts'
import { programDownloadUrl } from '@kelisim/domain/signatures/signing-program.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { PageConfig } from '../api/page-config.ts'
import classes from './identity.module.css'
import { RadioOption } from '../ui/form/choices.tsx'
import { WarningIcon } from '../ui/look/icons.tsx'
import { useConfirmation, type Confirmed } from './use-confirmation.ts'

type Signer = NonNullable<PageConfig['signer']>

export function ConfirmBySignature(props: {
  signer: Signer
  /** The unconfirmed organisation to confirm; without it the certificate decides. */
  organization?: { id: string; kind: ClaimKind }
  onDone: (result: Confirmed) => void
}) {
  const { t } = useTexts('identity')
  const { signer, organization } = props
  const [kind, setKind] = useState<ClaimKind>(organization?.kind ?? 'organization')
  const { step, problem, problemText, begin } = useConfirmation(signer, props.onDone)
  const isNotRunning = problem !== null && 'fault' in problem && problem.fault === 'program-not-running'
  return (
    <Stack>
      {!organization && <KindChoice kind={kind} onChoose={setKind} isDisabled={step !== null} />}
      {problemText !== null && (
        <Alert color="red" variant="light" icon={<WarningIcon size={20} />} role="alert">
          {problemText}{' '}
          {isNotRunning && (
            <Anchor href={programDownloadUrl} target="_blank" rel="noreferrer" underline="always" inherit>
              {t('confirm.install')}
            </Anchor>
          )}
        </Alert>
      )}
      <Group>
        <Button
          loading={step !== null}
          onClick={() => void begin({ kind, ...(organization && { organizationId: organization.id }) })}
        >
          {t('confirm.sign')}
        </Button>
        <span role="status">{step !== null && t(`confirm.steps.${step}`)}</span>
      </Group>
      {signer.windowUrl !== null && (
        <p className={classes.help}>
          {t('confirm.demoWindow')}{' '}
          <Anchor href={signer.windowUrl} target="_blank" rel="noreferrer" underline="always" inherit>
            {t('confirm.openWindow')}
          </Anchor>
        </p>
      )}
    </Stack>
  )
}

function KindChoice(props: { kind: ClaimKind; onChoose: (kind: ClaimKind) => void; isDisabled: boolean }) {
  const { t } = useTexts('identity')
  return (
    <Radio.Group label={t('confirm.kind')} value={props.kind}>
      <Stack gap={12} mt={8}>
        {claimKinds.map((kind) => (
          <RadioOption
            key={kind}
            value={kind}
            label={t(`confirm.kinds.${kind}.label`)}
            description={t(`confirm.kinds.${kind}.help`)}
            disabled={props.isDisabled}
            onChange={() => props.onChoose(kind)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
