import { once } from "node:events"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { Socket } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import {
  type Auth,
  bearerToken,
  createApi,
  createLinkReaders,
  createStreamLimit,
  loopbackIngress,
  usualStreamLimits,
} from "@docket/api"
import { createIdSource, createRuntime, createTenants, type Runtime, type UseCases } from "@docket/core"
import { localPerson, type Session } from "@docket/core/schema"
import { createInMemoryDatabase } from "@docket/core/store"
import { noPrograms } from "@docket/core/test/no-programs"
import { oneNode } from "@docket/core/test/one-node"
import { chattyProviders } from "./chatty-model.ts"

export interface LiveService {
  url: string
  token: string
  directory: string
  runtime: UseCases
  /** The use cases of another caller. */
  as: Runtime["as"]
  session: Session
  /** Breaks every open connection, as a lost network does. */
  cutConnections(): void
  /** The service stops accepting connections, as during a restart, until `comeBack`. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
  errors: unknown[]
  close(): Promise<void>
}

const token = "test-token"

const user = { person: localPerson, workspace: "local" }
const owner = { caller: user, role: "owner", via: "token", credentialID: "token", isOperator: true } as const

const auth: Auth = {
  cookieName: "docket_test",
  identify: (request) => (bearerToken(request) === token ? { ...owner, name: "service" } : null),
  createLoginCode: () => "",
  redeemLoginCode: async () => null,
  endLogin: async () => undefined,
}

/** The origin whose pages may call the service. */
export const appOrigin = "https://app.example.org"

/** The real API over the real runtime, with the memory store and a scripted model. */
export async function startLiveService({ words = 200 } = {}): Promise<LiveService> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-client-")))
  const errors: unknown[] = []
  const database = createInMemoryDatabase()
  const onError = (error: unknown) => void errors.push(error)
  const shared = { createID: createIdSource(), clock: Date.now, onError }
  const created = await createRuntime({
    programs: noPrograms,
    ...shared,
    store: database.store("local"),
    providers: chattyProviders(words),
    random: () => 0.5,
    dataDirectory: path.join(directory, ".data"),
    home: path.join(directory, ".home"),
    env: {},
    platform: process.platform,
    providerTimeoutMs: 10_000,
  })
  const tenants = createTenants({ ...shared, database, local: { id: "local", runtime: created } })
  const runtime = created.as(user)
  const log = (_: string, error: unknown) => errors.push(error)
  const api = createApi({
    workspaces: { runtime: () => created },
    links: createLinkReaders({ first: { id: "local", runtime: created } }),
    auth,
    tenants,
    nodes: oneNode(database),
    version: "0.0.0",
    clock: Date.now,
    ingress: loopbackIngress(() => true),
    streams: createStreamLimit(usualStreamLimits),
    appOrigins: () => [appOrigin],
    log,
    report: () => undefined,
  })
  const sockets = new Set<Socket>()
  const server = createServer((req, res) => void api(req, res))
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")
  const project = await runtime.project.open({ directory })
  return {
    url: `http://127.0.0.1:${address.port}`,
    token,
    directory,
    runtime,
    as: created.as,
    session: await runtime.session.create({ projectID: project.id }),
    cutConnections: () => {
      for (const socket of sockets) socket.destroy()
    },
    async goAway() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
    async comeBack() {
      server.listen(address.port, "127.0.0.1")
      await once(server, "listening")
    },
    errors,
    async close() {
      await created.close()
      server.closeAllConnections()
      server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
