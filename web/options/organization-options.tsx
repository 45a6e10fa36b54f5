/** The options of the organisation that are switched on or off. */
import type { OrganizationOptions } from '@kelisim/domain/options/options.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { SwitchOption } from '../ui/form/choices.tsx'
import { PortalButton } from './portal-button.tsx'
import { OptionSection } from './shared/option-section.tsx'
import classes from './shared/options.module.css'
import { useOrganizationOption } from './use-organization-option.ts'

type SwitchName = {
  [N in keyof OrganizationOptions]: OrganizationOptions[N] extends boolean ? N : never
}[keyof OrganizationOptions]

function OptionSwitch({ name, label, help }: { name: SwitchName; label: string; help: string }) {
  const { shown, change } = useOrganizationOption(name)
  return (
    <SwitchOption
      size="md"
      name={name}
      label={label}
      description={help}
      checked={shown}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  )
}

export function QuickSend() {
  const { t } = useTexts('options')
  return (
    <OptionSection name="quicksend" title={t('quicksend.title')} lead={t('quicksend.lead')}>
      <OptionSwitch name="isQuickRequestAllowed" label={t('quicksend.label')} help={t('quicksend.help')} />
    </OptionSection>
  )
}

export function RolePermissions() {
  const { t } = useTexts('options')
  return (
    <OptionSection
      name="pointsandroutesrolespermissions"
      title={t('rolePermissions.title')}
      lead={t('rolePermissions.lead')}
    >
      <div className={classes.controls}>
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
        <div className={classes.after}>
          <p className={classes.text}>{t('rolePermissions.portalText')}</p>
          <PortalButton page="members" />
        </div>
      </div>
    </OptionSection>
  )
}

export function DocumentPrinting() {
  const { t } = useTexts('options')
  return (
    <OptionSection name="documentprintingoptions" title={t('printing.title')} lead={t('printing.lead')}>
      <div className={classes.controls}>
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
        <OptionSwitch
          name="isFooterMarkPrinted"
          label={t('printing.footer')}
          help={t('printing.footerHelp')}
        />
      </div>
    </OptionSection>
  )
}

export function DocumentFormat() {
  const { t } = useTexts('options')
  return (
    <OptionSection
      name="documentextensionpermissions"
      title={t('extensions.title')}
      lead={t('extensions.lead')}
    >
      <div className={classes.controls}>
        <OptionSwitch
          name="documentsUploadPdfOnly"
          label={t('extensions.label')}
          help={t('extensions.help')}
        />
        <OptionSwitch name="documentsUploadXml" label={t('extensions.xml')} help={t('extensions.xmlHelp')} />
      </div>
    </OptionSection>
  )
}

export function SigningReport() {
  const { t } = useTexts('options')
  return (
    <OptionSection name="documentgenerationreportoptions" title={t('report.title')} lead={t('report.lead')}>
      <OptionSwitch
        name="isSigningReportGenerationAllowed"
        label={t('report.label')}
        help={t('report.help')}
      />
    </OptionSection>
  )
}
