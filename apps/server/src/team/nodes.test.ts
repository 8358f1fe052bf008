import path from "node:path"
import { createIdSource } from "@docket/core"
import type { AuditEntry, NodeFacts } from "@docket/core/schema"
import { openSqliteDatabase } from "@docket/db"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

const createID = createIdSource()
const nodeID = createID("node")
let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService()
  owner = await service.owner()
  // What another node would do.
  const database = await openSqliteDatabase({ file: path.join(service.data, "docket.db"), clock: Date.now })
  const facts: NodeFacts = {
    ...{ id: nodeID, hostID: createID("host"), role: "worker", version: "1.2.3", pid: 7, places: ["any"] },
  }
  await database.nodes.beat(facts)
  await database.close()
})
afterAll(() => service.remove())

async function entries(): Promise<AuditEntry[]> {
  const input = encodeURIComponent(JSON.stringify({ limit: 3 }))
  const response = await owner.get(`/api/trpc/audit.list?input=${input}`)
  return ((await response.json()) as { result: { data: { items: AuditEntry[] } } }).result.data.items
}

it("the audit log names the node that was drained and resumed", async () => {
  for (const call of ["nodes.drain", "nodes.resume"])
    expect(await callProcedure(owner, call, { nodeID })).toMatchObject({ status: 200, data: { id: nodeID } })
  expect(await entries()).toMatchObject([
    { act: "node.resumed", call: "nodes.resume", person: { name: "Ada" }, targets: { node: nodeID } },
    { act: "node.drained", call: "nodes.drain", person: { name: "Ada" }, targets: { node: nodeID } },
    {},
  ])
})

it("an admin who does not run the service drains nothing", async () => {
  const { browser } = await joinTeam(service, owner, "Ben", "admin")
  expect(await callProcedure(browser, "nodes.drain", { nodeID })).toMatchObject({ status: 403 })
  expect(await entries()).toContainEqual(expect.objectContaining({ act: "call.refused", call: "nodes.drain" }))
  expect(await callProcedure(browser, "nodes.list")).toMatchObject({ status: 403 })
  const nodes = expect.arrayContaining([expect.objectContaining({ id: nodeID, state: "live" })])
  expect(await callProcedure(owner, "nodes.list")).toMatchObject({ data: { nodes } })
})
