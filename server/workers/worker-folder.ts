/** The prefix of the names of folders in which children work. */
export const workerFolder = 'kelisim-worker-'
