/**
 * For tests: what is left to do when this process has ended, however it ended, kill -9 included. A shell beside us, in a
 * session of its own, waits for the end of a pipe whose other end nobody but us holds.
 */
import { spawn } from 'node:child_process'

/** The arguments are $1, $2 … of the script. The result calls it off. */
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

/** A process and all that it started: whoever leads a group of its own is known by its number. */
export function endGroupAfterUs(leader: number): () => void {
  return afterUs('kill -TERM "-$1"', String(leader))
}

/** Also one that is started only later; `folder` is removed afterwards, with all that is in it. */
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
