import path from "node:path"
import { findProcess } from "./fixtures/processes.ts"
import { expect, outputsOf, settled, test } from "./fixtures/service-test.ts"

const script = path.resolve(import.meta.dirname, "../../packages/mcp/src/test/hostile-server.mjs")
const command = [process.execPath, script, "plain"]

test.override({ config: { permission: "allow", mcp: { own: { type: "local", command, required: true } } } })

test("a session uses an MCP server, which ends with Docket", async ({ client, model, projectID, server }) => {
  model.script({ Go: [{ calls: [{ tool: "own_say", args: { word: "hello" } }] }, { text: "Done." }] })
  const { id: sessionID } = await client.session.create.mutate({ projectID })
  await client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text: "Go" }] })
  await settled(client, sessionID)
  expect(await outputsOf(client, sessionID, "own_say")).toEqual(["said hello"])
  const [item] = await client.extension.list.query({ projectID })
  expect(item).toMatchObject({ title: "own", state: "ready", use: { calls: 1, failures: 0 } })
  expect(await findProcess(command)).toHaveLength(1)
  await server.kill()
  await expect.poll(() => findProcess(command), { timeout: 30_000 }).toEqual([])
})
