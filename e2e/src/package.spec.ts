import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { startDocket } from "./fixtures/docket-server.ts"
import { findNode } from "./fixtures/find-node.ts"
import { install } from "./fixtures/fresh-project.ts"
import { test as base, begin, expect, sessionOf } from "./fixtures/test.ts"
import { trustProject } from "./fixtures/trust-project.ts"

const run = promisify(execFile)
const maker = path.join(import.meta.dirname, "../../packages/release/src/release.ts")

/** Most bytes and packages of what a user installs. */
const budget = { tarball: 20_000_000, unpacked: 80_000_000, packages: 8 }

interface Installed {
  /** The release's files. */
  release: string
  /** The directory that it was installed in. */
  folder: string
  /** Why there is none. */
  problem: string | null
}

/** A release, and a directory with nothing but what npm installed from its tarball. */
const test = base.extend<object, { installed: Installed }>({
  installed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
    async ({}, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "docket-installed-"))
      const release = await mkdtemp(path.join(tmpdir(), "docket-released-"))
      await run(process.execPath, [maker, "--out", release])
      const [tarball = ""] = (await readdir(release)).filter((name) => name.endsWith(".tgz"))
      const dependencies = { docket: `file:${path.join(release, tarball)}` }
      await writeFile(path.join(folder, "package.json"), JSON.stringify({ private: true, dependencies }))
      const from = performance.now()
      const problem = await install(folder)
      print(`installed in ${Math.round(performance.now() - from)} ms`)
      await use({ release, folder, problem })
      for (const directory of [folder, release]) await rm(directory, { recursive: true, force: true, maxRetries: 3 })
    },
    { scope: "worker" },
  ],
  server: async ({ project, installed, userConfig }, use) => {
    const program = [path.join(installed.folder, "node_modules/docket/bin/docket.js"), "serve"]
    const from = performance.now()
    const server = await startDocket({ project: project.directory, program, config: userConfig })
    print(`web app ready after ${Math.round(performance.now() - from)} ms`)
    await use(server)
    await server.stop()
  },
})

/** A tool file, a plugin that changes its call, and an MCP server: each runs in a process of its own. */
const files = {
  ".docket/tool/greet.ts": `import { tool } from "@opencode-ai/plugin"
export default tool({
  description: "Greets somebody.",
  args: { name: tool.schema.string() },
  execute: async ({ name }) => "Hello " + name + ", from a file.",
})
`,
  ".opencode/plugin/loud.ts": `export const Loud = async () => ({
  "tool.execute.before": async ({ tool }, output) => {
    if (tool === "greet") output.args.name = output.args.name.toUpperCase()
  },
})
`,
  "library.cjs": `const { createInterface } = require("node:readline")
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n")
const info = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "library", version: "1" } }
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  if (method === "initialize") say(id, info)
  else if (method === "tools/list") say(id, { tools: [{ name: "look", inputSchema: { type: "object" } }] })
  else if (method === "tools/call") say(id, { content: [{ type: "text", text: "It knows." }] })
})
`,
  ".mcp.json": JSON.stringify({ mcpServers: { library: { command: process.execPath, args: ["library.cjs"] } } }),
}

test.use({ config: null })
// One installation serves all.
test.describe.configure({ mode: "default" })
test.beforeEach(({ installed }) => test.skip(installed.problem !== null, installed.problem ?? ""))

test("the installed package serves pages and runs a turn", { tag: "@journey" }, async ({ desk, client, project }) => {
  await begin(desk, "write hello to notes.txt")
  await expect.poll(() => project.read("notes.txt").catch(() => "")).toContain("hello")
  await expect(desk.getByRole("button", { name: "Stop", exact: true })).toHaveCount(0)
  const session = await client.session.get.query({ sessionID: sessionOf(desk) })
  expect(session.title).not.toBe("")
})

test.describe("with a model", () => {
  test.use({ config: { permission: { "*": "allow" } } })

  test("tool files, plugins and MCP servers run from the package", async ({ client, model, project, projectID }) => {
    for (const [name, text] of Object.entries(files)) await project.write(name, text)
    model.script({
      first: [{ text: "Nothing to do." }],
      second: [
        { calls: [{ tool: "greet", args: { name: "ada" } }] },
        { calls: [{ tool: "library_look", args: {} }] },
        { text: "It is done." },
      ],
    })
    await trustProject(client, projectID)
    await client.extension.start.mutate({ projectID, kind: "mcp", name: "library" })
    const { id: sessionID } = await client.session.create.mutate({ projectID })
    for (const text of ["first", "second"])
      await client.session.prompt.mutate({ sessionID, parts: [{ type: "text", text }] })
    const read = JSON.stringify(model.requests.at(-1)?.messages)
    expect(read).toContain("Hello ADA, from a file.")
    expect(read).toContain("It knows.")
  })
})

test("the package stays within its budget", { tag: "@journey" }, async ({ installed: { release, folder } }) => {
  const [tarball = ""] = (await readdir(release)).filter((name) => name.endsWith(".tgz"))
  const packed = (await stat(path.join(release, tarball))).size
  const unpacked = await bytesIn(path.join(folder, "node_modules"))
  const lock = JSON.parse(await readFile(path.join(folder, "node_modules/.package-lock.json"), "utf8"))
  const packages = Object.keys(lock.packages).length
  print(`tarball ${megabytes(packed)}, installed ${megabytes(unpacked)} in ${packages} packages`)
  expect(packed).toBeLessThanOrEqual(budget.tarball)
  expect(unpacked).toBeLessThanOrEqual(budget.unpacked)
  expect(packages).toBeLessThanOrEqual(budget.packages)
})

test("an older Node prints the command that works in one sentence", async ({ installed: { folder } }) => {
  const node = await findNode(20)
  test.skip(typeof node === "string", String(node))
  const program = path.join(folder, "node_modules/.bin/docket")
  const old = typeof node === "string" ? "" : node.file
  const { code, stderr } = await run(old, [program, "--version"]).then(
    () => ({ code: 0, stderr: "" }),
    (error: { code: number; stderr: string }) => error,
  )
  expect(stderr).toMatch(/^docket: needs Node 24\.7 or newer, and this is Node 20\.\S+: npx [^\n]+\n$/)
  expect(code).toBe(2)
})

async function bytesIn(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

function print(line: string): void {
  process.stdout.write(`package: ${line}\n`)
}
