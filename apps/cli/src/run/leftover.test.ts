import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { createServer, type Server, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, it } from "vitest"
import { z } from "zod"

const program = fileURLToPath(new URL("../main.js", import.meta.url))
const handOver = new URL("../../../../scripts/setup/hand-over.mjs", import.meta.url)
const Owner = z.object({ pid: z.number() })

let home: string
let running: ChildProcess | undefined
let provider: Server
/** Open requests to the model; it answers only when the test says so. */
let requests: ServerResponse[]
/** Resolves at the first request. */
let asked: Promise<unknown>

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "docket-leftover-"))
  provider = createServer().listen(0, "127.0.0.1")
  requests = []
  provider.on("request", (_req, response: ServerResponse) => requests.push(response))
  asked = once(provider, "request")
  await once(provider, "listening")
  const address = provider.address()
  const port = typeof address === "object" && address ? address.port : 0
  const config = {
    model: "silent/silent",
    small_model: "silent/silent",
    provider: {
      silent: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "test" },
        models: { silent: {} },
      },
    },
  }
  await mkdir(path.join(home, ".config/docket"), { recursive: true })
  await writeFile(path.join(home, ".config/docket/docket.json"), JSON.stringify(config))
  await mkdir(path.join(home, "project"))
})
afterEach(async () => {
  running?.kill("SIGKILL")
  provider.closeAllConnections()
  provider.close()
  await rm(home, { recursive: true, force: true, maxRetries: 10 })
})

/** A `docket run` in the middle of a turn, and the service that it started. */
async function startRun(args: string[]): Promise<{ command: ChildProcess; service: number }> {
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: path.join(home, ".config") }
  const command = spawn(process.execPath, args, {
    cwd: path.join(home, "project"),
    env,
    stdio: ["ignore", "pipe", "pipe"],
  })
  running = command
  await asked
  const lock = await readFile(path.join(home, ".docket/lock.json"), "utf8")
  return { command, service: Owner.parse(JSON.parse(lock)).pid }
}

const plain = [program, "run", "Hello"]
/** Starts the program like `npm run docket` does. */
const handedOver = [
  "--input-type=module",
  "-e",
  `import { handOver } from ${JSON.stringify(handOver.href)}
  handOver({ node: process.execPath, env: process.env }, "apps/cli/src/main.js", ["run", "Hello"])`,
]

/** Whether the process has ended, even if its parent has not read the exit code yet. */
async function hasEnded(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null)
  return stat === null || stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z")
}

async function untilEnded(pid: number): Promise<void> {
  while (!(await hasEnded(pid))) await delay(25)
}

it.skipIf(process.platform !== "linux").each([
  ["is killed", plain, "SIGKILL"],
  ["is told to end", plain, "SIGTERM"],
  ["loses its terminal", plain, "SIGHUP"],
  ["was started by a script that is killed", handedOver, "SIGKILL"],
] as const)("a service started by a run ends when the run %s", async (_how, args, signal) => {
  const { command, service } = await startRun([...args])
  expect(await hasEnded(service)).toBe(false)
  command.kill(signal)
  await untilEnded(service)
})

it.skipIf(process.platform !== "linux").each([
  ["is killed", (service: number) => process.kill(service, "SIGKILL")],
  ["stops because its data directory is gone", () => rename(path.join(home, ".docket"), path.join(home, "gone"))],
])("a run ends with the reason when its service %s", async (_how, end) => {
  const { command, service } = await startRun(plain)
  let stderr = ""
  command.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk
  })
  await end(service)
  const [code] = await once(command, "close")
  // The event that ends the turn may still arrive.
  expect(stderr).toMatch(/the service ended before the turn did|Docket was stopped while this ran/)
  expect([1, 5]).toContain(code)
})

it.skipIf(process.platform !== "linux")("a run whose reader is gone stops its turn and its service", async () => {
  const { command, service } = await startRun(plain)
  command.stdout?.destroy()
  // The first request may be the one for the session's title.
  for (const response of requests) speak(response)
  provider.on("request", (_req, response: ServerResponse) => speak(response))
  await once(command, "exit")
  await untilEnded(service)
})

function speak(response: ServerResponse): void {
  const chunk = { choices: [{ index: 0, delta: { content: "Nobody reads this. " } }] }
  response.writeHead(200, { "content-type": "text/event-stream" })
  for (let count = 0; count < 3; count++) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
}
