import { execFileSync } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { connect, createServer, type Server } from "node:net"
import { homedir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { install } from "../fixtures/fresh-project.ts"
import type { RealAgent } from "./real-agents.ts"

/** Outside of the repository and of its own, because the three agents take 700 MB. */
const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "docket-acp-agents")
const confined = fileURLToPath(new URL("run-confined.ts", import.meta.url))
/** The port of the provider in the network of an agent, which has nothing else in it. */
const port = 9000

/** Installs an agent from npm where it is not yet. @returns why it cannot be had; null when it is there */
export async function lackOf(agent: RealAgent): Promise<string | null> {
  if (!hasNamespaces()) return "This machine has no namespaces."
  const folder = folderOf(agent)
  await mkdir(folder, { recursive: true })
  const [name, version] = splitSpec(agent.package)
  await writeFile(
    path.join(folder, "package.json"),
    JSON.stringify({ private: true, dependencies: { [name]: version } }),
  )
  return install(folder)
}

/** A door through which confined agents reach the provider, and nothing else. */
export async function openDoor(socket: string, provider: string): Promise<Server> {
  const { hostname, port } = new URL(provider)
  const server = createServer((inside) => {
    const outside = connect(Number(port), hostname)
    inside.pipe(outside).pipe(inside)
    inside.on("error", () => outside.destroy())
    outside.on("error", () => inside.destroy())
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  return server
}

/**
 * What the configuration says of an agent that reaches nothing but the door: in Docket's sandbox, or outside of it. Its home
 * holds what it needs of settings.
 * @param mark stands in the environment of the agent and of all that it starts
 */
export async function programOf(
  agent: RealAgent,
  { socket, home, mark, isSandboxed }: { socket: string; home: string; mark: string; isSandboxed: boolean },
) {
  const provider = `http://127.0.0.1:${port}`
  for (const [file, text] of Object.entries(agent.files(provider))) {
    const target = path.join(home, file)
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, text)
  }
  const program = path.join(folderOf(agent), "node_modules", agent.program)
  const args = [confined, socket, String(port), process.execPath, program, ...agent.args]
  const env = { ...agent.env(provider, home), AGENT_MARK: mark }
  if (isSandboxed) return { command: process.execPath, args, env, network: "none", writable: [home] }
  const room = ["--dev-bind", "/", "/", "--unshare-user", "--unshare-net", process.execPath]
  return { command: "bwrap", args: [...room, ...args], env: { ...env, HOME: home }, sandbox: false }
}

function folderOf(agent: RealAgent): string {
  return path.join(cache, agent.package.replaceAll("/", "+"))
}

function hasNamespaces(): boolean {
  try {
    execFileSync("bwrap", ["--dev-bind", "/", "/", "--unshare-user", "--unshare-net", "true"])
    return true
  } catch {
    return false
  }
}

function splitSpec(spec: string): [name: string, version: string] {
  const at = spec.lastIndexOf("@")
  return [spec.slice(0, at), spec.slice(at + 1)]
}
