/**
 * How Node runs the product, wherever it is started (tools/deployment.test.ts compares them). Most objects of a call
 * are short-lived, so with more room for them the garbage collector runs less often: an eighth more calls a second
 * for some 50 MB.
 */
export const nodeFlags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=32'] as const
