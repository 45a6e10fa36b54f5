/** The options of the organisation that are on or off. */
import { useTexts } from '../i18n/use-texts.ts'
import { Card } from '../ui/page/page.tsx'
import classes from './shared/options.module.css'
import { OptionPage, OptionSwitch, useOptionsForm } from './organization-form.tsx'
import { PortalButton } from './portal-button.tsx'

export function QuickSend() {
  const { t } = useTexts('options')
  const form = useOptionsForm('isQuickRequestAllowed')
  return (
    <OptionPage title={t('quicksend.title')} lead={t('quicksend.lead')} form={form}>
      <OptionSwitch name="isQuickRequestAllowed" label={t('quicksend.label')} help={t('quicksend.help')} />
    </OptionPage>
  )
}

export function RolePermissions() {
  const { t } = useTexts('options')
  const form = useOptionsForm('usePointsRolePermission', 'useSignaturePointsRoutesRolePermission')
  const whoTheyAre = (
    <div className={classes.after}>
      <Card title={t('rolePermissions.portalTitle')}>
        <p className={classes.text}>{t('rolePermissions.portalText')}</p>
        <PortalButton page="members" />
      </Card>
    </div>
  )
  return (
    <OptionPage
      title={t('rolePermissions.title')}
      lead={t('rolePermissions.lead')}
      form={form}
      after={whoTheyAre}
    >
      <OptionSwitch
        name="usePointsRolePermission"
        label={t('rolePermissions.points')}
        help={t('rolePermissions.pointsHelp')}
      />
      <OptionSwitch
        name="useSignaturePointsRoutesRolePermission"
        label={t('rolePermissions.routes')}
        help={t('rolePermissions.routesHelp')}
      />
    </OptionPage>
  )
}

export function DocumentPrinting() {
  const { t } = useTexts('options')
  const form = useOptionsForm(
    'isDateOfSignDisplayedInQrDocument',
    'isSignatureSheetCompact',
    'isFooterMarkPrinted',
  )
  return (
    <OptionPage title={t('printing.title')} lead={t('printing.lead')} form={form}>
      <OptionSwitch
        name="isDateOfSignDisplayedInQrDocument"
        label={t('printing.label')}
        help={t('printing.help')}
      />
      <OptionSwitch
        name="isSignatureSheetCompact"
        label={t('printing.compact')}
        help={t('printing.compactHelp')}
      />
      <OptionSwitch name="isFooterMarkPrinted" label={t('printing.footer')} help={t('printing.footerHelp')} />
    </OptionPage>
  )
}

export function DocumentFormat() {
  const { t } = useTexts('options')
  const form = useOptionsForm('documentsUploadPdfOnly')
  return (
    <OptionPage title={t('extensions.title')} lead={t('extensions.lead')} form={form}>
      <OptionSwitch name="documentsUploadPdfOnly" label={t('extensions.label')} help={t('extensions.help')} />
    </OptionPage>
  )
}

export function SigningReport() {
  const { t } = useTexts('options')
  const form = useOptionsForm('isSigningReportGenerationAllowed')
  return (
    <OptionPage title={t('report.title')} lead={t('report.lead')} form={form}>
      <OptionSwitch
        name="isSigningReportGenerationAllowed"
        label={t('report.label')}
        help={t('report.help')}
      />
    </OptionPage>
  )
}
