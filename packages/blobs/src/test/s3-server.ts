import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import S3rver from "s3rver"
import { readBlobAddress, type S3Settings } from "../blob-address.ts"

/** The keys that s3rver knows. */
const keys = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" }

type Fault = (request: IncomingMessage, response: ServerResponse) => boolean

export interface S3Server extends AsyncDisposable {
  /** What a node is told of it. */
  env: Record<string, string>
  /** Settings for a prefix that no other test uses. */
  settings(env?: Record<string, string>): S3Settings
  /** Takes the place of the answers for which it says so. Null: none. */
  fault: Fault | null
  /** Method and path of each request, in order. */
  requests: string[]
}

let count = 0

/** An S3 service at an address of this machine, with one bucket. */
export async function startS3(host = "127.0.0.1"): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), "docket-s3-"))
  const service = new S3rver({ directory, silent: true, configureBuckets: [{ name: "contents", configs: [] }] })
  await service.configureBuckets()
  const answer = service.callback()
  const state: Pick<S3Server, "fault" | "requests"> = { fault: null, requests: [] }
  const server: Server = createServer((request, response) => {
    state.requests.push(`${request.method} ${request.url}`)
    if (state.fault?.(request, response) !== true) answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  const own = { ...keys, AWS_ENDPOINT_URL_S3: `http://${host}:${port}` }
  return Object.assign(state, {
    env: { ...own, DOCKET_BLOBS: "s3://contents/docket" },
    settings(env: Record<string, string> = {}) {
      const settings = readBlobAddress({ ...own, DOCKET_BLOBS: `s3://contents/test-${++count}`, ...env })
      if (settings?.kind !== "s3") throw new Error("not an address of S3")
      return settings
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  })
}
