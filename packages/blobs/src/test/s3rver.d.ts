declare module "s3rver" {
  import type { RequestListener } from "node:http"

  /** What this package uses of it; it has no types of its own. */
  export default class S3rver {
    constructor(options: {
      directory: string
      silent: boolean
      configureBuckets: { name: string; configs: string[] }[]
    })
    configureBuckets(): Promise<unknown>
    callback(): RequestListener
  }
}
