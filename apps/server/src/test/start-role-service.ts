import { once } from "node:events"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import {
  createApi,
  createAudit,
  createLinkReaders,
  createStreamLimit,
  loopbackIngress,
  usualStreamLimits,
} from "@docket/api"
import {
  createAuditLog,
  createIdSource,
  createProviders,
  createRuntime,
  createTenants,
  rehearsalLoader,
} from "@docket/core"
import { noPrograms } from "@docket/core/test/no-programs"
import { oneNode } from "@docket/core/test/one-node"
import { openSqliteDatabase } from "@docket/db"
import { inhabitTenant } from "./inhabit-tenant.ts"
import { createKnownIds } from "./known-ids.ts"
import { onlyFirst } from "./only-first.ts"
import { readAnswer } from "./read-answer.ts"
import { roleAuth, sayWho } from "./role-auth.ts"

type Shown = Parameters<typeof sayWho>[0]

/** The real API over SQLite, where callers claim their identity. Two tenants have a row of every kind. */
export async function startRoleService() {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-roles-")))
  const file = path.join(directory, "docket.db")
  const database = await openSqliteDatabase({ file, clock: Date.now })
  await inhabitTenant({ database, directory }, { tenantID: "local", secret: "quetzalcoatl", from: 0 })
  await inhabitTenant({ database, directory }, { tenantID: "acme", secret: "xylophone", from: 300 })
  const logged: string[] = []
  const base = { createID: createIdSource(), clock: Date.now, onError: (error: unknown) => logged.push(String(error)) }
  const runtime = await createRuntime({
    programs: noPrograms,
    ...base,
    store: database.store("local"),
    providers: createProviders({
      dataDirectory: path.join(directory, "data"),
      env: {},
      loadRehearsal: rehearsalLoader(0),
    }),
    random: () => 0,
    dataDirectory: path.join(directory, "data"),
    home: directory,
    env: {},
    platform: process.platform,
    providerTimeoutMs: 60_000,
  })
  const tenants = createTenants({ ...base, database, local: { id: "local", runtime } })
  const auditLog = createAuditLog({ ...base, storeOf: (id) => database.store(id).audit })
  const deps = {
    workspaces: onlyFirst(runtime),
    links: createLinkReaders({ first: { id: "local", runtime } }),
    auth: roleAuth,
    tenants,
    nodes: oneNode(database),
    audit: createAudit({ log: auditLog, nameOf: async () => null, clock: Date.now }),
    version: "0.0.0",
    clock: Date.now,
    ingress: loopbackIngress(() => true),
    streams: createStreamLimit(usualStreamLimits),
    appOrigins: () => [],
    report: () => undefined,
    log: (text: string, error: unknown) => void logged.push(`${text}: ${String(error)}`),
  }
  const api = createApi(deps)
  const server = createServer((req, res) => void api(req, res)).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")
  const send = async (who: Shown, { method, path: to, body }: { method: string; path: string; body?: unknown }) => {
    const answer = await fetch(`http://127.0.0.1:${address.port}${to}`, {
      method,
      headers: { ...sayWho(who), "content-type": "application/json" },
      ...(method !== "GET" && { body: JSON.stringify(body ?? {}) }),
    })
    return readAnswer(answer)
  }
  return {
    directory,
    file,
    deps,
    runtime,
    ids: createKnownIds(file, tenants),
    logged,
    send,
    async remove() {
      await runtime.close()
      server.closeAllConnections()
      server.close()
      await database.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
