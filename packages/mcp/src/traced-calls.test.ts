import { readFile } from "node:fs/promises"
import { noTrace, type Trace } from "@docket/core/trace"
import { expect, test } from "vitest"
import { startRemoteServer } from "./test/remote-server.ts"
import { hostile, runServers } from "./test/run-servers.ts"

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
const trace: Trace = { ...noTrace, headers: () => ({ traceparent }) }

test("a local server is told the span of a call", async () => {
  const { log } = await runServers()
  const own = await runServers({ mcp: { files: hostile("plain", log) }, trace })
  await own.toolNames()
  await own.untilState("files", ["ready"])
  await own.call({ tool: "files_say", input: { word: "hello" } })
  expect(own.results).toEqual(["said hello"])
  expect((await readFile(log, "utf8")).split("\n")).toContain(`span ${traceparent}`)
})

test("a remote server is told the span by a header", async () => {
  const server = await startRemoteServer()
  const own = await runServers({ mcp: { far: { type: "remote", url: server.url } }, trace })
  await own.toolNames()
  await own.untilState("far", ["ready"])
  await own.call({ tool: "far_say", input: {} })
  expect(server.headers()).toMatchObject({ traceparent })
})
