import { createHash } from "node:crypto"
import { existsSync, globSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
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

/** As it is unless a user sets it, without questions about tools of servers. */
const permission = { "own_*": "allow", "mine_*": "allow" }

/** A trusted project with a server of its own, which lies in it. */
async function project(network?: "open" | "project" | "none", more: object = {}) {
  const own = { type: "local", command: [node, "server.mjs", "tries"], ...(network && { network }), ...more }
  const fixture = await runServers({
    ...{ isSandboxed: true, permission, env: { OWN_SECRET: "of the service" } },
    files: {
      "server.mjs": await readFile(script, "utf8"),
      ...{ "notes.txt": "here", ".env": "TOKEN=hunter2" },
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

test.skipIf(lack !== null)("a project's server cannot read what the rules ask about", async () => {
  const { call, results, directory } = await project()
  await call({ tool: "own_try", input: { write: path.join(directory, "x"), address: await localService() } })
  expect(results[0]).toMatch(/, EACCES$/)
})

test.skipIf(lack !== null).each([
  [[], /, EACCES$/],
  [["--env-file=.env"], /, TOKEN=hunter2$/],
])("an own server reads a closed file that its command names (%j)", async (words, read) => {
  const { call, results, directory } = await own(
    { command: [node, ...words, script, "tries"] },
    { ".env": "TOKEN=hunter2" },
  )
  await call({ tool: "mine_try", input: { write: path.join(directory, "x"), address: await localService() } })
  expect(results[0]).toMatch(read)
})

/** The user's own server, which runs in a project with a file. */
async function own(more: object = {}, files: Record<string, string> = {}) {
  const fixture = await runServers({
    ...{ isSandboxed: true, permission, env: { OWN_SECRET: "of the service" } },
    files: { "notes.txt": "here", ...files },
    mcp: { mine: { ...hostile("tries"), ...more } },
  })
  await fixture.toolNames()
  await fixture.untilState("mine", ["ready"])
  const tryIt = async (written: string) => {
    const write = path.join(fixture.directory, written)
    await fixture.call({ tool: "mine_try", input: { write, address: await localService() } })
    return (fixture.results.at(-1) ?? "").split(", ")
  }
  return { ...fixture, tryIt }
}

test.skipIf(lack !== null)("the user's own server reaches the network from the sandbox", async () => {
  const { tryIt, itemOf, directory } = await own({ environment: { OWN_SECRET: "its own", PGHOST: "db" } })
  const [wrote, reads, reached, home, secret, host] = await tryIt("written.txt")
  expect([wrote, reads, reached, secret, host]).toEqual(["EROFS", "reads the project", "reached", "its own", "db"])
  expect(home).not.toBe(path.join(directory, ".home"))
  expect((await itemOf("mine"))?.may[0]).toMatch(
    /in the sandbox, where it only reads the project and reaches the network/,
  )
})

test.skipIf(lack !== null)("a server's home is its own in each project", async () => {
  const { run, results, directory, projectID } = await own({}, { "other/notes.txt": "there" })
  const input = { write: path.join(tmpdir(), "nobody/kept.txt"), address: await localService() }
  const other = await run.runtime.project.open(path.join(directory, "other"))
  for (const id of [projectID, other.id]) {
    const session = await run.runtime.session.create({ projectID: id })
    const text = JSON.stringify([{ tool: "mine_try", input }])
    const turn = await run.runtime.prompt.submit(session.id, { parts: [{ type: "text", text }] })
    await run.runtime.prompt.wait(turn.id)
    expect(results.at(-1)).toMatch(/^wrote, /)
  }
  const homeOf = (id: string) => createHash("sha256").update(`mcp user ${id} mine`).digest("hex").slice(0, 20)
  expect(globSync(".data/sandbox/*/home/kept.txt", { cwd: directory }).toSorted()).toEqual(
    [projectID, other.id].map((id) => `.data/sandbox/${homeOf(id)}/home/kept.txt`).toSorted(),
  )
})

test.skipIf(lack !== null)("the user's own server changes the places that its entry names", async () => {
  const files = { "docs/a.txt": "a", ".docket/x": "", "src/a.ts": "" }
  const { tryIt, itemOf } = await own({ writable: ["docs"] }, files)
  expect((await tryIt("docs/b.txt"))[0]).toBe("wrote")
  expect((await tryIt("src/b.ts"))[0]).toBe("EROFS")
  expect((await itemOf("mine"))?.may[0]).toContain("where it changes docs and")
  const whole = await own({ writable: ["."] }, files)
  expect((await whole.tryIt("src/b.ts"))[0]).toBe("wrote")
  // What decides over agents is not among them.
  expect((await whole.tryIt(".docket/y"))[0]).toBe("EROFS")
})

test("the user's own server has all rights where its entry says so", async () => {
  const { tryIt, itemOf, directory } = await own({ sandbox: false })
  const [wrote, reads, reached, home, secret] = await tryIt("written.txt")
  expect([wrote, reads, reached, secret]).toEqual(["wrote", "reads the project", "reached", "no secret"])
  expect(home).toBe(path.join(directory, ".home"))
  expect((await itemOf("mine"))?.may[0]).toContain("with your rights, as its entry says")
})

test("a place that is not there is named before the server starts", async () => {
  const fixture = await runServers({ mcp: { mine: { ...hostile("plain"), writable: ["nowhere"] } } })
  await fixture.toolNames()
  const { error } = await fixture.untilState("mine", ["failed"])
  expect(error).toContain('nowhere of "writable" is not there: make it, or take it out.')
})

test.skipIf(lack !== null)("a project cannot give its server the user's rights", async () => {
  const { call, results, directory, itemOf } = await project("open", { sandbox: false, writable: ["."] })
  await call({ tool: "own_try", input: { write: path.join(directory, "x"), address: await localService() } })
  expect(results[0]).toMatch(/^EROFS, /)
  expect((await itemOf("own"))?.may[0]).toContain("in the sandbox, where it only reads the project")
})

test("without a sandbox nobody is told of one", async () => {
  const fixture = await runServers({ mcp: { mine: hostile("plain") } })
  const may = (await fixture.itemOf("mine"))?.may[0]
  expect(may).toContain("with the rights of Docket: there is no sandbox for it")
})
