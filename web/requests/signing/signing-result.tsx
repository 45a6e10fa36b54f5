/** The result of signing, and for each failure what to do next. */
import { Alert, Anchor, Button } from '@mantine/core'
import { unbroken } from '@kelisim/domain/numbers.ts'
import { programDownloadUrl } from '@kelisim/domain/signatures/signing-program.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { CheckIcon, WarningIcon } from '../../ui/look/icons.tsx'
import { Seal } from '../../ui/look/seal.tsx'
import { isEdsApproval } from '../shared/request-view.ts'
import type { SigningResult, WrongKey } from './run-signing.ts'
import classes from './signing.module.css'
import { isSettled, type Candidate, type Problem } from './use-signing.ts'

export function ProblemView({ problem, onPhone }: { problem: Problem; onPhone?: () => void }) {
  const { t, find } = useTexts('requests')
  const isAway = problem.kind === 'program' && problem.fault === 'program-not-running'
  return (
    <Alert
      color={problem.kind === 'canceled' ? 'gray' : 'red'}
      variant="light"
      icon={<WarningIcon size={20} />}
      role="alert"
    >
      {problem.kind === 'canceled' && t('signing.canceled')}
      {problem.kind === 'damaged' && t('signing.failed.damaged')}
      {problem.kind === 'program' && `${find(`signatures:codes.${problem.code}`) ?? ''} (${problem.code})`}
      {problem.kind === 'error' &&
        (find(`errors:${problem.error.alias}.text`, { ...problem.error.parameters }) ??
          problem.error.message)}{' '}
      {isAway && (
        <Anchor href={programDownloadUrl} target="_blank" rel="noreferrer" underline="always" inherit>
          {t('signing.install')}
        </Anchor>
      )}
      {isAway && onPhone && (
        <Button mt={12} variant="default" size="compact-md" display="block" onClick={onPhone}>
          {t('signing.usePhone')}
        </Button>
      )}
    </Alert>
  )
}

/** The result of signing one document; several documents show their results in the list. */
export function Result({ candidates }: { candidates: readonly Candidate[] }) {
  const { t } = useTexts('requests')
  const resultText = useResultText()
  const [candidate, ...others] = candidates
  if (!candidate?.result || others.length > 0) return null
  const { result, task } = candidate
  if (result.kind === 'wrong-key') return <WrongKeyView wrong={result} />
  const isGood = isSettled(result)
  const isEds = task !== null && isEdsApproval({ act: 'sign', point: task.point })
  if (result.kind === 'accepted') {
    return (
      <div className={classes.sealed} role="status">
        <Seal />
        <p>{t(isEds ? 'signing.done.eds' : 'signing.done.accepted')}</p>
      </div>
    )
  }
  return (
    <Alert
      color={isGood ? 'teal' : 'red'}
      variant="light"
      icon={isGood ? <CheckIcon size={20} /> : <WarningIcon size={20} />}
      role={isGood ? 'status' : 'alert'}
    >
      {isGood ? t('signing.done.checking') : resultText(result)}
    </Alert>
  )
}

export function useResultText(): (result: SigningResult) => string {
  const { t, find } = useTexts('requests')
  return (result) => {
    switch (result.kind) {
      case 'accepted':
      case 'checking':
        return t(`signing.many.${result.kind}`)
      case 'refused': {
        const { code } = result
        const reason = code === null ? '' : `${find(`signatures:codes.${code}`) ?? ''} (${code})`
        return t('signing.done.refused', { reason })
      }
      case 'wrong-key':
        return `${find(`signatures:codes.${result.code}`) ?? ''} (${result.code})`
      case 'other-key':
        return t('signing.wrongKey.other')
      case 'error':
        return (
          find(`errors:${result.error.alias}.text`, { ...result.error.parameters }) ?? result.error.message
        )
    }
  }
}

/** The required number and that of the chosen key, compared before anything is sent. */
function WrongKeyView({ wrong }: { wrong: WrongKey }) {
  const { t, find } = useTexts('requests')
  const { demand, chosen, code } = wrong
  const needed = demand.of === 'number' ? demand.number : demand.iin
  const numbers = [
    chosen.bin !== null && `${t('signature.bin')} ${unbroken(chosen.bin)}`,
    chosen.iin !== null && `${t('signature.iin')} ${unbroken(chosen.iin)}`,
  ].filter((part) => part !== false)
  const word = demand.of === 'number' ? t('common:binOrIin') : t('signature.iin')
  return (
    <Alert
      color="red"
      variant="light"
      icon={<WarningIcon size={20} />}
      role="alert"
      title={t('signing.wrongKey.title')}
    >
      <p>
        {find(`signatures:codes.${code}`)} ({code}). {t('signing.wrongKey.nothingSent')}
      </p>
      <dl className={classes.numbers}>
        <dt>{t('signing.wrongKey.needed')}</dt>
        <dd>
          {needed ? `${word} ${unbroken(needed)}` : t('about.needOwnUnknown')}
          {demand.of === 'number' && isAboutRole(code) && (
            <>
              <br />
              {t(`common:keys.${demand.keyHolder}`)}
            </>
          )}
        </dd>
        <dt>{t('signing.wrongKey.chosen')}</dt>
        <dd>
          {chosen.fullName}
          <br />
          {numbers.join(' · ') || t('signing.wrongKey.noNumber')}
          {isAboutRole(code) && (
            <>
              <br />
              {t(`common:givenKeys.${chosen.given}`)}
            </>
          )}
        </dd>
      </dl>
    </Alert>
  )
}

/** The number is right, the role in the certificate is not. */
function isAboutRole(code: string): boolean {
  return code === 'DS-708' || code === 'DS-710'
}
