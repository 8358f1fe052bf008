import { expect, test } from "vitest"
import { startRemoteServer } from "./test/remote-server.ts"
import { runServers } from "./test/run-servers.ts"

async function ready(more = {}, options = {}) {
  const server = await startRemoteServer()
  const fixture = await runServers({ mcp: { far: { type: "remote", url: server.url, ...more } }, ...options })
  return { ...fixture, server }
}

test("a remote server gets its headers with every request", async () => {
  const headers = { Authorization: "Bearer {env:FAR_TOKEN}" }
  const { server, toolNames, untilState, call } = await ready({ headers }, { env: { FAR_TOKEN: "abc" } })
  await toolNames()
  await untilState("far", ["ready"])
  expect(await toolNames()).toContain("far_say")
  await call({ tool: "far_say", input: {} })
  expect(server.headers()).toMatchObject({ authorization: "Bearer abc" })
})

test("a session that the server forgot is begun anew", async () => {
  const { server, toolNames, untilState, call, results } = await ready()
  await toolNames()
  await untilState("far", ["ready"])
  server.forget()
  await call({ tool: "far_say", input: {} })
  expect(results).toEqual(["session 2"])
  expect(server.called.filter((method) => method === "initialize")).toHaveLength(2)
})

test("a redirect to another place is not followed", async () => {
  const other = await startRemoteServer()
  const { server, toolNames, untilState } = await ready({ headers: { Authorization: "Bearer secret" } })
  server.answer((response) => response.writeHead(307, { location: other.url }).end())
  await toolNames()
  const { error } = await untilState("far", ["failed"])
  expect(error).toContain("redirect")
  expect(other.called).toEqual([])
})

test("a server that is away fails by name, and no turn", async () => {
  const { server, run, toolNames, untilState } = await ready()
  server.answer((response) => response.writeHead(503).end())
  await toolNames()
  expect((await untilState("far", ["failed"])).error).toContain("503")
  const { items } = await run.messages()
  expect(items.at(-1)?.info).toMatchObject({ error: null })
})

test("a call whose answer breaks off fails at once", async () => {
  const { server, toolNames, untilState, call, results } = await ready()
  await toolNames()
  await untilState("far", ["ready"])
  server.answer((response) => response.writeHead(200, { "content-type": "text/event-stream" }).end())
  await call({ tool: "far_say", input: {} })
  expect(results.at(-1)).toContain("its answer broke off")
})
