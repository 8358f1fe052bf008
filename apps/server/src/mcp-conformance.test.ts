import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { createServer, request, type Server } from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type OpenedService, startOpenedService } from "./test/start-opened-service.ts"

const suite = fileURLToPath(new URL("../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url))

/**
 * The scenarios that need nothing but what Docket offers. The others call tools, prompts and resources that a server is
 * to have for the suite alone: `docs/mcp-server.md` lists them.
 */
const applicable = [
  "server-initialize",
  "ping",
  "tools-list",
  "server-sse-polling",
  "server-sse-multiple-streams",
  "dns-rebinding-protection",
]

let service: OpenedService
let proxy: Server
let address: string
let directory: string

/** The suite sends no token, so this adds it. Everything else stays as it was sent, the host's name too. */
beforeAll(async () => {
  service = await startOpenedService()
  directory = await mkdtemp(path.join(tmpdir(), "docket-conformance-"))
  const authorization = `Bearer ${(await readFile(service.tokenFile, "utf8")).trim()}`
  const { hostname, port } = new URL(service.url)
  const withPort = (text: string) => text.replace(/:\d+$/, `:${port}`)
  proxy = createServer((req, res) => {
    const { host = "", origin } = req.headers
    const headers = { ...req.headers, authorization, host: withPort(host), ...(origin && { origin: withPort(origin) }) }
    const passed = request({ hostname, port, path: req.url, method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(res)
    })
    passed.on("error", () => res.destroy())
    req.pipe(passed)
  }).listen(0, "127.0.0.1")
  await once(proxy, "listening")
  const its = proxy.address()
  if (its === null || typeof its === "string") throw new Error("the proxy has no port")
  address = `http://127.0.0.1:${its.port}/mcp`
})
afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await service.remove()
  await rm(directory, { recursive: true, force: true })
})

test.each(applicable)("the conformance suite passes %s", async (scenario) => {
  const child = spawn(process.execPath, [suite, "server", "--url", address, "--scenario", scenario], {
    cwd: directory,
    env: { PATH: process.env.PATH, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk
    })
  const [code] = await once(child, "close")
  expect([code, /Passed: (\d+)\/\1, 0 failed/.test(output)], output).toEqual([0, true])
})
