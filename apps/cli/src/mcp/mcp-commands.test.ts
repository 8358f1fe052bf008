import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { z } from "zod"
import { serverProgram } from "../server-program.ts"

const cli = fileURLToPath(new URL("../main.js", import.meta.url))
let directory: string
let service: ChildProcess
let address: string
let env: Record<string, string>

beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-mcp-cli-")))
  await mkdir(path.join(directory, "project"))
  env = { PATH: process.env.PATH ?? "", HOME: directory }
  const args = ["--no-web", "--json", "--port", "0", "--data", path.join(directory, "data")]
  service = spawn(process.execPath, [serverProgram, ...args, "--project", path.join(directory, "project")], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  })
  if (service.stdout === null) throw new Error("no output")
  const [line] = await once(createInterface(service.stdout), "line")
  address = z.object({ url: z.string() }).parse(JSON.parse(String(line))).url
})
afterAll(async () => {
  const exit = once(service, "exit")
  service.kill("SIGTERM")
  await exit
  await rm(directory, { recursive: true, force: true, maxRetries: 3 })
})

/** A client that starts `docket mcp serve` as its server. */
async function connect(mode: "legacy" | { pin: string }, data = "data") {
  const client = new Client({ name: "editor", version: "1.0.0" }, { versionNegotiation: { mode } })
  const args = [cli, "mcp", "serve", "--data", path.join(directory, data)]
  onTestFinished(() => client.close())
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }))
  return client
}

it.each(["legacy", { pin: "2026-07-28" }] as const)(
  "docket mcp serve delegates for a client of mode %j",
  async (mode) => {
    const client = await connect(mode)
    const given = { agent: "explore", prompt: "Look around.", directory: path.join(directory, "project") }
    const started = await client.callTool({ name: "delegate", arguments: given })
    const { task, link } = started.structuredContent as { task: string; link: string }
    expect(link).toMatch(new RegExp(`^${address}/review/ses_\\w+\\?task=${task}$`))
    // The embedded rehearsal works on it, without a model.
    const ended = await client.callTool({ name: "task_result", arguments: { task, wait_seconds: 600 } })
    expect(ended.structuredContent).toMatchObject({ task, state: "completed", result: expect.any(String) })
  },
)

it("docket mcp serve ends when no service runs", async () => {
  await expect(connect("legacy", "nothing")).rejects.toThrow()
})
