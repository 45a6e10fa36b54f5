/** The part of the S3 server that tests use; it brings no types. */
declare module 's3rver' {
  import type { Server } from 'node:http'
  export default class S3rver {
    constructor(options: {
      port: number
      address: string
      silent: boolean
      directory: string
      configureBuckets: { name: string; configs: string[] }[]
    })
    configureBuckets(): Promise<unknown>
    listen(port: number, address: string, onListening: () => void): Server
  }
}
