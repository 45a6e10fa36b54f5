/**
 * For tests: cleans up after this process has ended, however it ended, kill -9 included. A shell in a session of its
 * own waits for the end of a pipe whose other end only this process holds.
 */
import { spawn } from 'node:child_process'

/** The arguments are $1, $2 … of the script. Returns a function that cancels the clean-up. */
export function afterUs(script: string, ...args: readonly string[]): () => void {
  const shell = spawn('/bin/sh', ['-c', `cat; ${script}`, 'after-us', ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  return () => {
    if (shell.pid && shell.exitCode === null) process.kill(-shell.pid, 'SIGKILL')
  }
}

/** Ends a process group: the leader and everything that it started. */
export function endGroupAfterUs(leader: number): () => void {
  return afterUs('kill -TERM "-$1"', String(leader))
}

/** Stops the PostgreSQL of this data folder, even if it starts only later; then removes `folder`. */
export function stopDatabaseAfterUs(data: string, folder: string): () => void {
  return afterUs(
    `if pid=$(head -n 1 "$1/postmaster.pid"); then
       kill -INT "$pid"
       while kill -0 "$pid"; do sleep 0.1; done
     fi
     rm -rf "$2"`,
    data,
    folder,
  )
}
