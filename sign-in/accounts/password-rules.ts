/** The rules for a new password. Length protects; the rest only excludes what is guessed first. */

export type PasswordFlaw = 'too-short' | 'too-long' | 'contains-email' | 'too-common'

export const minimumLength = 10
export const maximumLength = 200

export function flawOf(password: string, email: string): PasswordFlaw | null {
  const length = Array.from(password).length
  if (length < minimumLength) return 'too-short'
  if (length > maximumLength) return 'too-long'
  const lower = password.normalize('NFKC').toLowerCase()
  if (namesIn(email).some((name) => lower.includes(name))) return 'contains-email'
  if (isCommon(lower)) return 'too-common'
  return null
}

/**
 * The parts of the address that a password must not contain: the whole address and the part before the @. Two or
 * three characters may be in any password by chance.
 */
function namesIn(email: string): string[] {
  const lower = email.trim().toLowerCase()
  const [local = ''] = lower.split('@')
  return [lower, local].filter((name) => name.length >= 4)
}

function isCommon(password: string): boolean {
  const characters = new Set(password)
  return (
    characters.size <= 2 ||
    isRun(password) ||
    common.has(password) ||
    common.has(password.replace(/[\d!.]+$/, ''))
  )
}

/** A sequence on the keyboard, in the alphabet or of digits: 1234567890, qwertyuiop, йцукенгшщз. */
function isRun(password: string): boolean {
  return runs.some(
    (run) => run.includes(password) || Array.from(run).toReversed().join('').includes(password),
  )
}

const runs = [
  '0123456789012345678901234567890',
  'qwertyuiop[]asdfghjkl;zxcvbnm,./',
  'qwertyuiopasdfghjklzxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'abcdefghijklmnopqrstuvwxyz',
  'йцукенгшщзхъфывапролджэячсмитьбю',
  'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
]

/** Only passwords of ten characters or more, or which reach that length with digits appended. */
const common = new Set(
  `password passw0rd p@ssw0rd password1 qwerty qwerty123 qwertyuiop qazwsxedc letmein welcome administrator
  admin root iloveyou sunshine princess football baseball superman batman starwars pokemon dragon master monkey
  shadow michael computer internet samsung changeme default secret trustno1 whatever qwerty12345 abc abcd asdfgh
  asdfghjkl zxcvbnm zxcvbnmasd 1q2w3e4r5t qazwsx 123qwe123qwe 123123 1234 12345 123456 987654321 111222333
  parol parol123 пароль пароль123 йцукен привет любовь солнышко наташа kazakhstan kazahstan qazaqstan казахстан
  қазақстан almaty алматы astana астана kelisim келісім`.split(/\s+/),
)
