/** How the names of the folders begin that children work in. */
export const workerFolder = 'kelisim-worker-'
