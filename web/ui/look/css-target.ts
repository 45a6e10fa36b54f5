/** The first versions with light-dark(), which would be emulated poorly for older browsers. */
export const cssTarget = ['chrome123', 'firefox120', 'safari17.5']
