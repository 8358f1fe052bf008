import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import path from "node:path"
import { sandboxLack } from "@docket/core/test/sandbox-fixture"
import { expect, onTestFinished, test } from "vitest"
import { hostile, runServers } from "./test/run-servers.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`MCP servers in the sandbox are not tried: ${lack}`)

const [node, script = ""] = hostile("tries").command

/** A server of this machine. */
async function localService(): Promise<string> {
  const server = createServer((_, response) => response.end("secret"))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
}

/** A trusted project with a server of its own, which lies in it. */
async function project(network?: "open" | "project" | "none") {
  const own = { type: "local", command: [node, "server.mjs", "tries"], ...(network && { network }) }
  const fixture = await runServers({
    ...{ isSandboxed: true, env: { OWN_SECRET: "of the service" } },
    files: {
      "server.mjs": await readFile(script, "utf8"),
      "notes.txt": "here",
      "docket.json": JSON.stringify({ mcp: { own } }),
    },
  })
  const { items, trust, toolNames, untilState } = fixture
  expect(await items()).toEqual([])
  await trust()
  await toolNames()
  await untilState("own", ["ready"])
  return fixture
}

test.skipIf(lack !== null).each([
  [undefined, "reached"],
  ["none" as const, "not reached"],
])("a project's server reads the project, and reaches what it may (%s)", async (network, reached) => {
  const { call, results, directory } = await project(network)
  const written = path.join(directory, "written.txt")
  await call({ tool: "own_try", input: { write: written, address: await localService() } })
  const [wrote, reads, reach, home, secret] = (results[0] ?? "").split(", ")
  expect([wrote, reads, reach, secret]).toEqual(["EROFS", "reads the project", reached, "no secret"])
  expect(home).not.toBe(path.join(directory, ".home"))
  expect(existsSync(written)).toBe(false)
})

test("the user's own server has the user's rights, without the service's secrets", async () => {
  const fixture = await runServers({
    ...{ isSandboxed: true, env: { OWN_SECRET: "of the service" }, files: { "notes.txt": "here" } },
    mcp: { mine: hostile("tries") },
  })
  await fixture.toolNames()
  await fixture.untilState("mine", ["ready"])
  const written = path.join(fixture.directory, "written.txt")
  await fixture.call({ tool: "mine_try", input: { write: written, address: await localService() } })
  expect(fixture.results[0]).toBe(
    `wrote, reads the project, reached, ${path.join(fixture.directory, ".home")}, no secret`,
  )
})
