import { type ChildProcess, spawn } from "node:child_process"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import path from "node:path"
import { onTestFinished } from "vitest"

const script = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json")),
  "dist/index.js",
)

/** The reference server of the protocol's authors, as its users configure it. */
export async function everything(transport: "stdio" | "streamableHttp" | "sse"): Promise<Record<string, unknown>> {
  if (transport === "stdio") return { type: "local", command: [process.execPath, script, "stdio"] }
  const port = await freePort()
  const server = spawn(process.execPath, [script, transport], {
    env: { PATH: process.env.PATH ?? "", PORT: String(port), NODE_ENV: "test" },
    stdio: ["ignore", "pipe", "pipe"],
  })
  onTestFinished(() => end(server))
  await listening(server)
  return { type: "remote", url: `http://127.0.0.1:${port}/${transport === "sse" ? "sse" : "mcp"}` }
}

function listening(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("exit", () => reject(new Error("server-everything ended")))
    for (const stream of [server.stdout, server.stderr])
      stream?.on("data", (data: Buffer) => {
        if (/listening|running/i.test(data.toString("utf8"))) resolve()
      })
  })
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()))
  server.kill("SIGKILL")
  await ended
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
}
