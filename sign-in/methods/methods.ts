import { demo } from './demo.ts'
import type { SignInMethod } from './method.ts'
import { passkey } from './passkey.ts'
import { password } from './password.ts'
import { phone } from './phone.ts'
import { signature } from './signature.ts'

/** The sign-in methods, in their order on the page. */
export const methods: readonly SignInMethod[] = [password, passkey, signature, phone, demo]
