/** These browsers support light-dark(); for older ones it would be poorly emulated. */
export const cssTarget = ['chrome123', 'firefox120', 'safari17.5']
