import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { createDocketClient, type DocketClient } from "@docket/client"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startService, type TestService } from "./test/start-service.ts"

const cli = fileURLToPath(new URL("main.js", import.meta.url))
/** An MCP server without tools. */
const server = `
const { createInterface } = require("node:readline")
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  const result = method === "initialize"
    ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "mine", version: "1" } }
    : { tools: [] }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }))
})`
let directory: string
let ownFile: string
let service: TestService
let client: DocketClient

beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-looking-")))
  ownFile = path.join(directory, ".config/docket/docket.json")
  for (const name of ["project/inner", "elsewhere", ".config/docket"])
    await mkdir(path.join(directory, name), { recursive: true })
  const mine = { type: "local", command: [process.execPath, "-e", server] }
  await writeFile(ownFile, JSON.stringify({ mcp: { mine, far: { type: "remote", url: "http://127.0.0.1:9/mcp" } } }))
  const brought = { mcp: { brought: mine } }
  await writeFile(path.join(directory, "project/docket.json"), JSON.stringify(brought))
  const env = { PATH: process.env.PATH, HOME: directory }
  service = await startService(env, { data: path.join(directory, "data"), project: path.join(directory, "project") })
  client = createDocketClient({ url: service.address, token: service.token })
})
afterAll(async () => {
  await service.stop()
  await rm(directory, { recursive: true, force: true, maxRetries: 3 })
})

async function docket(where: string, ...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [cli, ...args, "--data", path.join(directory, "data")], {
    cwd: path.join(directory, where),
    env: { PATH: process.env.PATH, HOME: directory },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
  return { code, stdout, stderr }
}
const projects = async () =>
  (await client.project.list.query()).map((project) => path.relative(directory, project.directory))

it.each([
  ["mcp list", 0],
  ["mcp test mine", 0],
  ["mcp restart mine", 2],
  ["mcp login far", 2],
  ["mcp logout far", 0],
  ["plugin list", 0],
  ["plugin login nothing", 2],
  ["plugin logout nothing", 2],
  ["config", 0],
  ["models list", 0],
  ["agents list", 2],
  ["agents show build", 2],
  ["lsp", 2],
])("docket %s opens no project", async (command, code) => {
  const said = await docket("elsewhere", ...command.split(" "))
  expect(said.stderr).toContain(`${path.join(directory, "elsewhere")} is no project of the service`)
  expect([said.code, await projects()]).toEqual([code, ["project"]])
})

it("outside of projects, the user's own servers are there", async () => {
  const { stdout } = await docket("elsewhere", "mcp", "list", "--json")
  expect(JSON.parse(stdout).map(({ title }: { title: string }) => title)).toEqual(["mine", "far"])
  expect((await docket("elsewhere", "mcp", "test", "mine")).stdout).toMatch(/^mine runs and has 0 tools/)
  expect((await docket("elsewhere", "mcp", "test", "brought")).stderr).toContain("Your own configuration has mine, far")
  expect(await docket("elsewhere", "mcp", "remove", "far")).toMatchObject({ code: 0 })
  expect(Object.keys(JSON.parse(await readFile(ownFile, "utf8")).mcp)).toEqual(["mine"])
})

it("servers that wait for trust are listed with the next command", async () => {
  const { stdout } = await docket("project", "mcp", "list")
  expect(stdout).toMatch(/^brought +waits +0 +0 +\S+\/project\/docket\.json:1$/m)
  expect(stdout).toContain(`brought: waits for your trust in the project: docket trust ${directory}/project\n`)
})

it("a syntax error in the own file is named with its line", async () => {
  const before = await readFile(ownFile, "utf8")
  await writeFile(ownFile, '{\n  "mcp": {\n    "mine": }\n}\n')
  const problem = `! ${ownFile}:3:13: expected a value`
  expect(await docket("project", "mcp", "list")).toMatchObject({ code: 0, stderr: expect.stringContaining(problem) })
  expect(await docket("elsewhere", "mcp", "remove", "mine")).toMatchObject({
    ...{ code: 2, stdout: "" },
    stderr: expect.stringContaining(problem),
  })
  await writeFile(ownFile, before)
})

it("below a project, a command looks at that project", async () => {
  const { stdout, stderr } = await docket("project/inner", "config", "get", "mcp")
  expect([stdout, stderr]).toEqual([expect.stringContaining("docket.json"), ""])
  expect(await projects()).toEqual(["project"])
})
