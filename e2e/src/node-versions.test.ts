import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { DocketClient } from "@docket/client"
import { createNewerVersion } from "./fixtures/newer-version.ts"
import { test as base } from "./fixtures/nodes-test.ts"
import { expect, settled, textsOf, toolParts } from "./fixtures/service-test.ts"

const adds = { "9998_adds": `CREATE TABLE "OfTheNext" ("id" TEXT PRIMARY KEY);` }
const changes = { "9999_changes": "-- Every node has to know this migration.\nSELECT 1;" }

const test = base
  .extend("next", async ({ databaseUrl: _ }, { onCleanup }) => {
    const next = await createNewerVersion({ version: "998.0.0", migrations: adds })
    onCleanup(next.remove)
    return next
  })
  .extend("nextButOne", async ({ databaseUrl: _ }, { onCleanup }) => {
    const nextButOne = await createNewerVersion({ version: "999.0.0", migrations: { ...adds, ...changes } })
    onCleanup(nextButOne.remove)
    return nextButOne
  })
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixture's needs from the pattern
  .extend("logs", async ({}, { onCleanup }) => {
    const logs = await mkdtemp(path.join(tmpdir(), "docket-versions-"))
    onCleanup(() => rm(logs, { recursive: true, force: true }))
    return logs
  })

const storage = "shared"
const versionsOf = async (client: DocketClient) =>
  (await client.nodes.list.query()).nodes
    .filter(({ state }) => state !== "gone")
    .map(({ role, version }) => `${role} ${version.replace(/^0.*/, "old")}`)
    .sort()
const begin = async (client: DocketClient, text: string) => {
  const [opened] = await client.project.list.query()
  const { id: sessionID } = await client.session.create.mutate({ projectID: opened?.id ?? "" })
  await client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text }] })
  return sessionID
}
const running = (client: DocketClient, sessionID: string) =>
  expect.poll(async () => (await toolParts(client, sessionID)).map(({ state }) => state.status)).toContain("running")

test("nodes of two versions work together until one is too old", async ({
  startNode,
  project,
  model,
  next,
  nextButOne,
  logs,
}) => {
  const waits = { tool: "bash", args: { command: "sleep 600", description: "waits" } }
  model.script({
    "At the old web node": [{ text: "Answered at the old one." }],
    "At the new web node": [{ text: "Answered at the new one." }],
    "Goes over": [{ calls: [waits] }, { text: "Went over." }],
    "Moves once more": [{ calls: [waits] }, { text: "Moved once more." }],
  })
  const { directory } = project
  const log = path.join(logs, "old-worker")
  const oldWorker = await startNode("worker", { project: directory, storage, log })
  const oldWeb = await startNode("web", { log: path.join(logs, "old-web") })
  const newWeb = await startNode("web", { program: next.program })

  // The newer node has changed the database, by an addition: the old ones go on, for readers of both.
  const first = await begin(oldWeb.client, "At the old web node")
  const second = await begin(newWeb.client, "At the new web node")
  for (const [client, sessionID, text] of [
    [newWeb.client, first, "Answered at the old one."],
    [oldWeb.client, second, "Answered at the new one."],
  ] as const) {
    await settled(client, sessionID)
    expect(await textsOf(client, sessionID, "assistant")).toEqual([text])
  }
  expect(await versionsOf(oldWeb.client)).toEqual(["web 998.0.0", "web old", "worker old"])

  // The work of the old worker goes over to one of the newer version.
  const third = await begin(oldWeb.client, "Goes over")
  await running(oldWeb.client, third)
  await startNode("worker", { project: directory, storage, program: next.program })
  await oldWorker.end()
  await settled(oldWeb.client, third)
  expect(await textsOf(oldWeb.client, third, "assistant")).toEqual(["Went over."])
  await expect(oldWorker.restart()).rejects.toThrow("written by a newer Docket (it has migration 9998_adds")

  // The next version writes what the others would misread: they end, and what runs goes on there.
  const fourth = await begin(newWeb.client, "Moves once more")
  await running(newWeb.client, fourth)
  await startNode("worker", { project: directory, storage, program: nextButOne.program })
  const newest = await startNode("web", { program: nextButOne.program })
  await settled(newest.client, fourth)
  expect(await textsOf(newest.client, fourth, "assistant")).toEqual(["Moved once more."])
  await expect.poll(() => versionsOf(newest.client)).toEqual(["web 999.0.0", "worker 999.0.0"])
  const said = await readFile(path.join(logs, "old-web"), "utf8")
  expect(said).toMatch(
    /a newer node has changed the database \(migration 9999_changes\).* Install the newer version here/,
  )
})
