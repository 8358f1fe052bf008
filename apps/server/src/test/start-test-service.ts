import { mkdtemp, readFile, rm } from "node:fs/promises"
import { request } from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { createIdSource, createTenants, type Tenants } from "@docket/core"
import { createInMemoryDatabase, type TenantDatabase } from "@docket/core/store"
import { oneNode } from "@docket/core/test/one-node"
import type { ServiceOptions } from "../options.ts"
import { type Service, type ServiceDeps, startService } from "../start-service.ts"
import { createFakeRuntime, type FakeRuntime } from "./fake-runtime.ts"
import { onlyFirst } from "./only-first.ts"

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

export interface Call {
  method?: string
  headers?: Record<string, string>
  body?: string
}

export interface TestService extends Service {
  runtime: FakeRuntime
  /** Tenants other than "local" are real ones in this database. */
  tenants: Tenants
  database: TenantDatabase
  data: string
  token: string
  logged: string[]
  /** The progress messages so far. */
  reported: string[]
  /** Sends exactly these headers: unlike fetch, it lets a test choose Host and Sec-Fetch-Site. */
  call(pathAndQuery: string, options?: Call): Promise<Answer>
  remove(): Promise<void>
}

/** The real HTTP service on a free port, in front of a fake runtime. */
export async function startTestService(
  options: Partial<ServiceOptions> = {},
  deps: Pick<ServiceDeps, "timers"> = {},
): Promise<TestService> {
  const data = await mkdtemp(path.join(tmpdir(), "docket-server-"))
  const runtime = createFakeRuntime()
  const logged: string[] = []
  const reported: string[] = []
  const database = createInMemoryDatabase()
  const tenants = createTenants({
    database,
    local: { id: "local", runtime },
    createID: createIdSource(),
    clock: Date.now,
    onError: (error) => logged.push(String(error)),
  })
  const service = await startService(
    { projects: ["/tmp"], port: 0, host: "127.0.0.1", data, web: false, trust: false, ...options },
    {
      openRuntime: async () => ({
        ...{ runtime, tenants, nodes: oneNode(database) },
        ...{ workspaces: onlyFirst(runtime), warmUp: async () => undefined },
      }),
      report: (phase) => reported.push(phase),
      log: (text, error) => logged.push(`${text}: ${String(error)}`),
      ...deps,
    },
  )
  return {
    ...service,
    runtime,
    tenants,
    database,
    data,
    logged,
    reported,
    token: (await readFile(service.tokenFile, "utf8")).trim(),
    call: (pathAndQuery, options) => send(service.url, pathAndQuery, options),
    remove: async () => {
      await service.stop()
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** Sends exactly these headers. */
export function send(
  origin: string,
  pathAndQuery: string,
  { method = "GET", headers = {}, body }: Call = {},
): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const req = request({ hostname, port, path: pathAndQuery, method, headers }, async (res) => {
      let text = ""
      // The body of a stream does not end, so only its headers are read.
      if (String(res.headers["content-type"]).startsWith("text/event-stream")) req.destroy()
      else for await (const chunk of res) text += chunk
      resolve({ status: res.statusCode ?? 0, headers: res.headers, body: text })
    })
    req.on("error", reject)
    req.end(body)
  })
}
