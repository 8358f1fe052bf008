import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { startService, type TestService } from "../test/start-service.ts"

const cli = fileURLToPath(new URL("../main.js", import.meta.url))
let directory: string
let service: TestService
let address: string
let env: Record<string, string>

beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-mcp-cli-")))
  await mkdir(path.join(directory, "project"))
  env = { PATH: process.env.PATH ?? "", HOME: directory }
  service = await startService(env, { data: path.join(directory, "data"), project: path.join(directory, "project") })
  address = service.address
})
afterAll(async () => {
  await service.stop()
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
