import { expect, test } from "vitest"
import { secretsIn } from "./secrets-in.ts"
import { startRemoteServer } from "./test/remote-server.ts"
import { runServers } from "./test/run-servers.ts"

test("a server's log and failure show no secret of its configuration", async () => {
  const script = `console.error("key " + process.env.API_KEY + " " + process.argv.at(-1)); process.exit(1)`
  const command = [process.execPath, "-e", script, "--", "--token={env:OUTER}-two"]
  const own = { type: "local", command, environment: { API_KEY: "{env:OUTER}" } }
  const { run, projectID, itemOf } = await runServers({ mcp: { own }, env: { OUTER: "abc-123-def" } })
  await run.runtime.extension.start(projectID, { kind: "mcp", name: "own" })
  const item = await itemOf("own")
  expect(item?.error).toContain("key [value of API_KEY] --token=[value of token]")
  expect(JSON.stringify(item)).not.toContain("abc-123-def")
})

test("a failure quotes no secret that a remote server sent back", async () => {
  const server = await startRemoteServer()
  server.answer((response) => response.writeHead(400).end(`no ${response.req.headers.authorization}`))
  const far = { type: "remote", url: server.url, headers: { Authorization: "Bearer abc-123-def" } }
  const { run, projectID, itemOf } = await runServers({ mcp: { far } })
  await run.runtime.extension.start(projectID, { kind: "mcp", name: "far" })
  const item = await itemOf("far")
  expect(item?.error).toContain("no Bearer [value of auth]")
  expect(JSON.stringify(item)).not.toContain("abc-123-def")
})

test("a call that fails is noted without what the server sent back", async () => {
  const server = await startRemoteServer()
  const far = { type: "remote", url: server.url, headers: { Authorization: "Bearer abc-123-def" } }
  const { run, projectID, itemOf, call } = await runServers({ mcp: { far } })
  await run.runtime.extension.start(projectID, { kind: "mcp", name: "far" })
  server.answer((response) => response.writeHead(400).end(`no ${response.req.headers.authorization}`))
  await call({ tool: "far_say", input: {} })
  const item = await itemOf("far")
  expect(item?.use.failure?.text).toContain("no Bearer [value of auth]")
  expect(JSON.stringify(item)).not.toContain("abc-123-def")
})

test("headers, the client's secret and options count as secrets by name", () => {
  const headers = { Authorization: "Bearer abc-123-def", Accept: "application/json" }
  const remote = secretsIn({
    type: "remote",
    url: "https://a.example",
    headers,
    oauth: { clientSecret: "ghi-456-jkl" },
  })
  expect(remote.map(({ value }) => value)).toEqual(["abc-123-def", "ghi-456-jkl"])
  const local = secretsIn({ type: "local", command: ["run", "--api-key", "mno-789-pqr", "--mode=plain-text-1"] })
  expect(local.map(({ value }) => value)).toEqual(["mno-789-pqr"])
})
