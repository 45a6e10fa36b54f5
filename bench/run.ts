/**
 * `npm run -s bench -- NAME` runs one measure, `npm run -s bench` all of them. Each measures us and its reference
 * ("anchor") side by side and ends with one line of JSON: {name, value, anchor, ratio, goal, ok}.
 */
import { campaign } from './acts/campaign.ts'
import { campaignSigned } from './acts/campaign-signed.ts'
import { livePages } from './acts/live-pages.ts'
import { neighbour } from './acts/neighbour.ts'
import { sends } from './acts/sends.ts'
import { apiCall } from './api-call.ts'
import { bulk, bulkKills } from './bulk.ts'
import { bundle } from './pages/bundle.ts'
import { cmsLarge, cmsSmall } from './cms.ts'
import { crlIndex } from './crl-index.ts'
import { devReady, devReload } from './dev.ts'
import { eventLoop } from './event-loop.ts'
import { chunks, firstPaint, layoutShift } from './pages/first-list.ts'
import { gost256, gost256Portable, gost34311, gost512, gost512Portable, streebog } from './gost.ts'
import { hostileTenant } from './hostile-tenant.ts'
import { landing } from './pages/landing.ts'
import { listMeasures } from './lists.ts'
import { mailDrain } from './mail-drain.ts'
import type { Measure } from './parts/measure.ts'
import { optionsCall } from './options-call.ts'
import { pdfLarge } from './pdf.ts'
import { printable, printableMemory } from './printable.ts'
import { renewal } from './growth/renewal.ts'
import { requestPage } from './request-page.ts'
import { search } from './growth/search.ts'
import { signingAct, signingAct20MB } from './signing-act.ts'
import { upload } from './upload.ts'
import { verifyBundle } from './pages/verify-bundle.ts'
import { warmStart } from './warm-start.ts'

const measures: Record<string, () => Promise<Measure>> = {
  optionsCall,
  apiCall,
  warmStart,
  devReady,
  devReload,
  bundle,
  chunks,
  firstPaint,
  layoutShift,
  landing,
  verifyBundle,
  gost512,
  gost256,
  gost512Portable,
  gost256Portable,
  streebog,
  gost34311,
  cmsSmall,
  cmsLarge,
  pdfLarge,
  crlIndex,
  eventLoop,
  upload,
  hostileTenant,
  ...listMeasures,
  search,
  livePages,
  requestPage,
  signingAct,
  signingAct20MB,
  sends,
  neighbour,
  campaign,
  campaignSigned,
  mailDrain,
  bulk,
  bulkKills,
  printable,
  printableMemory,
  renewal,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in measures))
if (unknown.length > 0) {
  console.error(`There is no measure ${unknown.join(', ')}; there are ${Object.keys(measures).join(', ')}`)
  process.exit(64)
}

let isAllOk = true
for (const name of wanted.length > 0 ? wanted : Object.keys(measures)) {
  try {
    const measure = await measures[name]!()
    isAllOk &&= measure.ok
    console.log(JSON.stringify(measure))
  } catch (error) {
    // The other measures still run.
    isAllOk = false
    console.error(`${name} could not be measured:`, error)
  }
}
process.exit(isAllOk ? 0 : 1)
