/**
 * Signing in with a digital signature: people act in the windows of the stand-ins, which speak the real protocols.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ncaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import { openCentre } from '@kelisim/stand-ins/certification-centre/centre.ts'
import { expectAccessible } from './accessible.ts'
import { expect, people, test } from './fixtures.ts'
import { portAfter, signAtTheWindow } from './requests.ts'

// a computer has one signing program, so people take turns at its window
test.describe.configure({ mode: 'serial' })

async function begin(page: Page): Promise<void> {
  await page.goto('/signingRequests/incomings')
  await page.getByRole('button', { name: 'Войти через NCALayer' }).click()
  await expect(page.getByText('Выберите ключ и введите пароль в окне NCALayer')).toBeVisible()
}

test('a person signs in with a GOST key of her own, through the desktop program', async ({
  stranger,
  baseURL,
}) => {
  const page = await stranger()
  await begin(page)
  await expectAccessible(page)
  await signAtTheWindow(page, /СЕРІКОВА АЙГЕРІМ.*физическое лицо.*ГОСТ 2015/s, baseURL)
  await expect(page).toHaveURL(/organizationId=/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a person signs in with the RSA key for authentication too, and not with the one for signing', async ({
  stranger,
  baseURL,
}) => {
  const page = await stranger()
  await begin(page)
  await signAtTheWindow(page, /СЕРІКОВА АЙГЕРІМ.*RSA · подпись/s, baseURL)
  await expect(page.getByRole('alert')).toContainText('DS-707')
  await page.getByRole('button', { name: 'Войти через NCALayer' }).click()
  await signAtTheWindow(page, /СЕРІКОВА АЙГЕРІМ.*RSA · вход/s, baseURL)
  await expect(page).toHaveURL(/organizationId=/)
})

test('cancelling in the window of the desktop program changes nothing', async ({ stranger, baseURL }) => {
  const page = await stranger()
  await begin(page)
  const window = await page.context().newPage()
  await window.goto(`${portAfter(baseURL, 2)}/?lang=ru`)
  await window.getByRole('button', { name: 'Отмена' }).click()
  await expect(page.getByText('Подписание отменено')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Войти через NCALayer' })).toBeEnabled()
})

test('a key that was revoked is refused at the next try to sign in', async ({ stranger, baseURL }) => {
  const centre = await openCentre({ folder: join(process.env['E2E_DATA_DIR']!, 'certification-centre') })
  const own = centre.list().find(({ certificate }) => {
    const { surname, bin } = ncaProfile(certificate)
    return surname === 'ЛИ' && bin === null
  })
  const page = await stranger()
  await begin(page)
  await signAtTheWindow(page, /ЛИ МАРИЯ.*физическое лицо/s, baseURL)
  await expect(page).toHaveURL(/organizationId=/)
  centre.revoke({ serial: own!.serial }, 'keyCompromise')
  const again = await stranger()
  await begin(again)
  await signAtTheWindow(again, /ЛИ МАРИЯ.*физическое лицо/s, baseURL)
  await expect(again.getByRole('alert')).toContainText('DS-501')
})

test('when the centre does not answer, nobody is signed in unchecked, and the page says so', async ({
  stranger,
  baseURL,
  request,
}) => {
  const faults = (set: Record<string, string>) =>
    request.post(`${portAfter(baseURL, 1)}/faults`, { data: set })
  await faults({ ocsp: 'garbage', crl: 'garbage' })
  const page = await stranger()
  await begin(page)
  // the CRL for her certificate was never fetched yet, so there is nothing to fall back on
  await signAtTheWindow(page, /СЕРІКОВА АЙГЕРІМ.*RSA · вход/s, baseURL)
  await expect(page.getByRole('alert')).toContainText('DS-901')
  await faults({ ocsp: 'ok', crl: 'ok' })
  await page.getByRole('button', { name: 'Войти через NCALayer' }).click()
  await signAtTheWindow(page, /СЕРІКОВА АЙГЕРІМ.*RSA · вход/s, baseURL)
  await expect(page).toHaveURL(/organizationId=/)
})

/** On the phone: reads the code that the page shows, chooses a key, signs or refuses. */
async function onThePhone(page: Page): Promise<Page> {
  await page.goto('/signingRequests/incomings')
  await page.getByRole('button', { name: 'Войти через eGov Mobile' }).click()
  await expect(page.getByRole('img', { name: 'QR-код для входа' })).toBeVisible()
  await expectAccessible(page)
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Открыть телефон' }).click()
  return opened
}

/** Signs on the phone and returns the code that the phone showed before. */
async function signOnThePhone(phone: Page, owner: RegExp): Promise<string> {
  const described = await phone.getByText(/^Вход в Келісім .*Код \d{3}$/).textContent()
  await phone.getByText('Подписать', { exact: true }).click()
  await phone.getByRole('radio', { name: owner }).check()
  await phone.getByRole('button', { name: 'Подписать' }).click()
  await expect(phone.getByRole('heading', { name: 'Подписание выполнено успешно' })).toBeVisible()
  return /\d{3}$/.exec(described!)![0]
}

test('signing in by phone: the page that showed the QR code asks for the code on the phone', async ({
  stranger,
}) => {
  const page = await stranger()
  const phone = await onThePhone(page)
  // both show the same place of the sign-in, for the person to compare
  const place = phone.getByText(/^Chrome, Linux, .*\d\d:\d\d$/)
  await expect(place).toBeVisible()
  await expect(page.getByText((await place.textContent())!)).toBeVisible()
  await expect(phone.getByText(/только если вход начали вы сами/).first()).toBeVisible()
  await expectAccessible(phone)
  await expect(page.getByText('Подтвердите подпись в телефоне')).toBeVisible()
  const code = await signOnThePhone(phone, /ОМАРОВ ДАНИЯР.*физическое лицо/s)
  const field = page.getByLabel('Код из трёх цифр')
  await expect(field).toBeFocused()
  await expectAccessible(page)
  await expect(page.getByText('Данияр О.').first()).toBeVisible()
  await field.fill(code)
  await page.getByRole('button', { name: 'Продолжить как Данияр О.' }).click()
  await expect(page).toHaveURL(/organizationId=/)
})

test('somebody whose QR code another person has signed is not signed in without the code on that phone', async ({
  stranger,
}) => {
  const page = await stranger({ width: 375 })
  const phone = await onThePhone(page)
  const code = await signOnThePhone(phone, /ОМАРОВ ДАНИЯР.*физическое лицо/s)
  const wrong = (by: number) => String((Number(code) + by) % 1000).padStart(3, '0')
  const field = page.getByLabel('Код из трёх цифр')
  await field.fill(wrong(1))
  await page.getByRole('button', { name: 'Продолжить как Данияр О.' }).click()
  await expect(page.getByRole('alert')).toContainText('Телефон показал другой код')
  await expectAccessible(page)
  await field.fill(wrong(2))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('вход отменён')
  await expect(page.getByRole('button', { name: 'Войти через eGov Mobile' })).toBeVisible()
  await page.goto('/signingRequests/incomings')
  await expect(page.getByRole('button', { name: 'Войти через eGov Mobile' })).toBeVisible()
})

test('a sign-in that is refused on the phone: the page says so, and offers another way', async ({
  stranger,
}) => {
  const page = await stranger({ width: 375 })
  const phone = await onThePhone(page)
  await phone.getByRole('button', { name: 'Отказать' }).click()
  await expect(page.getByRole('alert')).toContainText('Отказать')
  await expect(page.getByRole('button', { name: 'Войти через eGov Mobile' })).toBeVisible()
})

test('somebody without an account chooses how to go on, and is signed in as a recipient', async ({
  stranger,
  baseURL,
}) => {
  const page = await stranger({ width: 375 })
  await begin(page)
  await signAtTheWindow(page, /СОКОЛОВА АННА.*Жаңа Жол/s, baseURL)
  await expect(page.getByRole('heading', { name: 'Соколова Анна Игоревна' })).toBeVisible()
  await expect(page.getByText('250340012341')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Войти без регистрации' }).click()
  await expect(page.getByRole('heading', { name: 'Документы для вас' })).toBeVisible()
  await expect(page.getByText(/^Соколова Анна Игоревна · ИИН/)).toBeVisible()
  await expectAccessible(page)
  // nothing of the application is open to her
  await page.goto('/documents/my')
  await expect(page.getByRole('heading', { name: 'Документы для вас' })).toBeVisible()
  await page.goto('/signingRequests/outsider/01a1de32-a459-7ec2-83b1-58d6d3499fee?number=250340012341')
  await expect(page).toHaveURL(/\/signingRequests\/redirect\//)
  await expect(page.getByRole('link', { name: 'Сменить учётную запись' })).toBeVisible()
})

test('the head of a firm adds it by its key, and becomes its owner', async ({ callerOf, baseURL }) => {
  const folder = process.env['E2E_DATA_DIR']!
  const centre = await openCentre({ folder: join(folder, 'certification-centre') })
  const { p12, fileName } = await centre.issue({
    kind: 'gost-kz-512',
    person: { surname: 'Қасымов', firstName: 'Әлихан', patronymic: 'Ғабитұлы', iin: '880315300123' },
    organization: { name: 'ТОО «Жаңа Дәуір»', bin: '250540017776', role: 'head' },
    password: 'Qwerty12',
  })
  writeFileSync(join(folder, 'keys', fileName), p12)
  const page = await callerOf(people.individual)
  await page.goto('/login?changeAccount=true')
  await page.getByRole('button', { name: 'Подписать и подтвердить' }).click()
  await expect(page.getByText('Выберите ключ в окне NCALayer')).toBeVisible()
  // first with his personal key, which is not one of any firm
  await signAtTheWindow(page, /ҚАСЫМОВ ӘЛИХАН.*физическое лицо/s, baseURL)
  await expect(page.getByText('DS-704')).toBeVisible()
  await page.getByRole('button', { name: 'Подписать и подтвердить' }).click()
  await signAtTheWindow(page, /ҚАСЫМОВ ӘЛИХАН.*Жаңа Дәуір/s, baseURL)
  await expect(page.getByText('организация добавлена и подтверждена')).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('Жаңа Дәуір')
})
