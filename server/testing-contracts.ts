/** For tests: every endpoint of all contracts. */
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import * as bulk from '@kelisim/domain/bulk/contract.ts'
import * as campaigns from '@kelisim/domain/campaigns/contract.ts'
import * as checking from '@kelisim/domain/verify/contract.ts'
import * as classifiers from '@kelisim/domain/classifiers/contract.ts'
import * as comments from '@kelisim/domain/comments/contract.ts'
import * as comparison from '@kelisim/domain/comparison/contract.ts'
import * as confirmation from '@kelisim/domain/identity/confirmation-contract.ts'
import * as deletions from '@kelisim/domain/deletions/contract.ts'
import * as groupMapping from '@kelisim/domain/directory/mapping-contract.ts'
import * as directory from '@kelisim/domain/directory/contract.ts'
import * as documents from '@kelisim/domain/documents/contract.ts'
import * as identity from '@kelisim/domain/identity/contract.ts'
import * as options from '@kelisim/domain/options/contract.ts'
import * as portal from '@kelisim/domain/portal/contract.ts'
import * as quickSend from '@kelisim/domain/landing/quick-send-contract.ts'
import * as captcha from '@kelisim/domain/landing/captcha-contract.ts'
import * as feedback from '@kelisim/domain/landing/feedback-contract.ts'
import * as mail from '@kelisim/domain/mail/contract.ts'
import * as mailStop from '@kelisim/domain/mail/stop-contract.ts'
import * as integration from '@kelisim/domain/integration/contract.ts'
import * as webhooks from '@kelisim/domain/integration/webhook-contract.ts'
import * as programConnection from '@kelisim/domain/integration/calls/connection-contract.ts'
import * as programCatalogue from '@kelisim/domain/integration/calls/catalogue-contract.ts'
import * as programDocuments from '@kelisim/domain/integration/calls/documents-contract.ts'
import * as programFiles from '@kelisim/domain/integration/calls/files-contract.ts'
import * as programRegisters from '@kelisim/domain/integration/calls/registers-contract.ts'
import * as programRequests from '@kelisim/domain/integration/calls/requests-contract.ts'
import * as operator from '@kelisim/domain/operator/contract.ts'
import * as notifications from '@kelisim/domain/notifications/contract.ts'
import * as points from '@kelisim/domain/points/contract.ts'
import * as registers from '@kelisim/domain/registers/contract.ts'
import * as personalData from '@kelisim/domain/personal-data/contract.ts'
import * as destruction from '@kelisim/domain/retention/destruction-contract.ts'
import * as retention from '@kelisim/domain/retention/contract.ts'
import * as requests from '@kelisim/domain/requests/contract.ts'
import * as requestsAgain from '@kelisim/domain/requests/sending/again-contract.ts'
import * as requestEntry from '@kelisim/domain/requests/entry-contract.ts'
import * as requestEmails from '@kelisim/domain/notifications/emails-contract.ts'
import * as requestElectronic from '@kelisim/domain/outputs/electronic-contract.ts'
import * as requestLongTerm from '@kelisim/domain/outputs/long-term-contract.ts'
import * as requestFiles from '@kelisim/domain/requests/files-contract.ts'
import * as requestHolders from '@kelisim/domain/requests/holder-contract.ts'
import * as requestLists from '@kelisim/domain/requests/list-contract.ts'
import * as requestRegistration from '@kelisim/domain/requests/sending/registration-contract.ts'
import * as requestOutputs from '@kelisim/domain/outputs/contract.ts'
import * as routes from '@kelisim/domain/routes/contract.ts'
import * as search from '@kelisim/domain/search/contract.ts'
import * as richText from '@kelisim/domain/rich-text/contract.ts'
import * as memberImport from '@kelisim/domain/member-import/contract.ts'
import * as mobile from '@kelisim/domain/requests/phone-contract.ts'
import * as termination from '@kelisim/domain/requests/termination-contract.ts'
import * as correcting from '@kelisim/domain/requests/correcting/contract.ts'
import * as packages from '@kelisim/domain/requests/packages/contract.ts'
import * as proposing from '@kelisim/domain/requests/proposing/contract.ts'
import * as subscriptions from '@kelisim/domain/subscriptions/contract.ts'
import * as powersOfAttorney from '@kelisim/domain/powers-of-attorney/contract.ts'
import * as substitutions from '@kelisim/domain/substitutions/contract.ts'
import * as insight from '@kelisim/domain/insight/contract.ts'
import * as today from '@kelisim/domain/today/contract.ts'
import * as uses from '@kelisim/domain/uses/contract.ts'
import * as transparency from '@kelisim/domain/transparency/contract.ts'

export const allEndpoints: Endpoint[] = [
  identity,
  confirmation,
  portal,
  memberImport,
  campaigns,
  options,
  subscriptions,
  today,
  insight,
  mail,
  mailStop,
  operator,
  deletions,
  documents,
  richText,
  classifiers,
  points,
  routes,
  routes.routeCalls,
  routes.templateCalls,
  search,
  uses,
  registers,
  requests,
  requestRegistration,
  bulk,
  requestsAgain,
  requestLists,
  requestHolders,
  requestEntry,
  requestFiles,
  requestElectronic,
  requestLongTerm,
  requestOutputs,
  termination,
  correcting,
  proposing,
  comments,
  packages,
  comparison,
  mobile,
  powersOfAttorney,
  substitutions,
  notifications,
  requestEmails,
  personalData,
  destruction,
  retention,
  transparency,
  checking,
  captcha,
  quickSend,
  feedback,
  integration,
  directory,
  groupMapping,
  webhooks,
  programConnection,
  programDocuments,
  programRegisters,
  programRequests,
  programFiles,
  programCatalogue,
]
  .flatMap((contract): unknown[] => Object.values(contract))
  .filter((value) => typeof value === 'object' && value !== null && 'access' in value && 'path' in value)
  .map((value) => value as Endpoint)
