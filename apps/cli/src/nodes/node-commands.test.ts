import { execFile } from "node:child_process"
import path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { createIdSource } from "@docket/core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type ServiceWithProject, startServiceWithProject } from "../test/start-service-with-project.ts"

const cli = fileURLToPath(new URL("../main.js", import.meta.url))
const createID = createIdSource()
const [worker, gone, host] = [createID("node"), createID("node"), createID("host")]
let work: ServiceWithProject

/** Writes what other nodes would: one that gives signs for an hour to come, and one that gave its last an hour ago. */
function putNodes(data: string): void {
  const database = new DatabaseSync(path.join(data, "docket.db"))
  const [hour, label] = [3_600_000, "rack\u001b[2J"]
  const putNode = database.prepare(
    `INSERT INTO "Node" ("id", "hostID", "role", "version", "started", "seen", "data")
     VALUES ($id, $hostID, $role, $version, 1, $seen, $data)`,
  )
  for (const [id, hostID, seen] of [
    [worker, host, Date.now() + hour],
    [gone, createID("host"), Date.now() - hour],
  ] as const) {
    const facts = { id, hostID, role: "worker", version: "1.2.3" }
    putNode.run({ ...facts, seen, data: JSON.stringify({ ...facts, pid: 7, places: ["any"] }) })
  }
  const putHost = database.prepare(`INSERT INTO "Host" ("id", "label", "seen", "data") VALUES ($id, $label, 1, $data)`)
  putHost.run({ id: host, label, data: JSON.stringify({ id: host, label }) })
  database.close()
}

beforeAll(async () => {
  work = await startServiceWithProject()
  putNodes(work.data)
})
afterAll(() => work.remove())

async function docket(...args: string[]): Promise<string> {
  const all = [cli, ...args, "--data", work.data]
  return (await promisify(execFile)(process.execPath, all, { env: work.env, cwd: work.project })).stdout
}

const isDraining = async () =>
  (await work.client.nodes.list.query()).nodes.flatMap(({ id, state }) => (state === "draining" ? [id] : []))

it("docket nodes lists the process that answers, and others", async () => {
  const shown = await docket("nodes")
  expect(shown).not.toContain("\u001b")
  const lines = shown.trimEnd().split("\n")
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(/^node +host +role +version +state +at work +waiting +last sign$/)
  expect(shown).toMatch(/\nnod_\w+ +\S+ +all +\S+ +live, answers +0 +0 +0 s ago\n/)
  expect(shown).toMatch(new RegExp(`\n${worker} +rack \\[2J +worker +1\\.2\\.3 +live +0 +0 +0 s ago\n`))
  // After all that are there.
  expect(lines[3]).toMatch(new RegExp(`^${gone} +hst_\\w+ +worker +1\\.2\\.3 +gone +0 +0 +1 h .*ago$`))
  const { nodes } = JSON.parse(await docket("nodes", "--json"))
  expect(nodes).toContainEqual(expect.objectContaining({ id: worker, isHere: false, state: "live" }))
})

it("docket top shows the processes and the sessions at work", async () => {
  const shown = await docket("top")
  expect(shown).toMatch(/\nnod_\w+ +\S+ +all +live +\d+ MiB +\d+\.\d\d +0 +0\n/)
  expect(shown).toMatch(/\n0 sessions at work; 0 agents run; 0 wait for a person\n$/)
  const { nodes, sessions } = JSON.parse(await docket("top", "--json"))
  expect(sessions).toEqual([])
  expect(nodes.nodes).toContainEqual(
    expect.objectContaining({ use: { memory: expect.any(Number), processors: expect.any(Number), lag: null } }),
  )
})

it("docket nodes drain and resume change a worker, also a gone one", async () => {
  expect(await docket("nodes", "drain", worker)).toBe(`${worker} on rack\\u{1b}[2J takes no more sessions\n`)
  expect(await isDraining()).toEqual([worker])
  expect(await docket("nodes", "resume", worker)).toBe(`${worker} on rack\\u{1b}[2J takes sessions again\n`)
  expect(await isDraining()).toEqual([])
  expect(await docket("nodes", "drain", gone)).toMatch(/ is gone; once it is back, it takes no more sessions\n$/)
})

it("docket nodes refuses strange nodes and the only process", async () => {
  const refused = (id: string) => docket("nodes", "drain", id).catch(({ code, stderr }) => ({ code, stderr }))
  expect(await refused("rack")).toEqual({ code: 2, stderr: expect.stringContaining("docket nodes lists them") })
  const missing = createID("node")
  expect(await refused(missing)).toMatchObject({ stderr: expect.stringContaining(`There is no node ${missing}`) })
  const [here] = (await work.client.nodes.list.query()).nodes.filter(({ isHere }) => isHere)
  expect(await refused(here?.id ?? "")).toMatchObject({ stderr: expect.stringContaining("is one process") })
})

it("shells complete the workers that the service has", async () => {
  const shown = await promisify(execFile)(
    process.execPath,
    [cli, "complete", "--", "nodes", "drain", "--data", work.data, ""],
    { env: { ...work.env, DOCKET_COMPLETION_WAIT: "60000" } },
  )
  const ids = shown.stdout.split("\n").flatMap((line) => /^nod_\w+/.exec(line)?.[0] ?? [])
  expect(new Set(ids)).toEqual(new Set([worker, gone]))
})
