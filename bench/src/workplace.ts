import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { z } from "zod"
import { type StartedProcess, startProcess } from "./start-process.ts"

/** The checkout that contains this program. */
export const ownCheckout = fileURLToPath(new URL("../..", import.meta.url))
const loopProbe = fileURLToPath(new URL("./loop-probe.ts", import.meta.url))
const providerProgram = fileURLToPath(new URL("./fake-provider/main.ts", import.meta.url))

const ProviderHello = z.object({ url: z.string() })
const ServerHello = z.object({ url: z.string(), tokenFile: z.string(), loginUrl: z.string() })

export interface Provider extends StartedProcess {
  url: string
  /** Milliseconds that the provider spent on the answers of one directive. */
  time(id: string): Promise<number>
  /** When it was first asked for an answer of the directive (epoch ms). */
  asked(id: string): Promise<number>
}

export interface Server extends StartedProcess, z.infer<typeof ServerHello> {}

interface ServerOptions {
  port?: number
  watchLoop?: boolean
  /** Also serves the built web app, and waits for it. */
  web?: boolean
  /** Starts this program, absolute, instead of the checkout's. */
  program?: string
  /** One of several nodes; web nodes have no project. */
  role?: "web" | "worker"
  /** Additional environment variables. */
  env?: Record<string, string>
}

/** Temporary git projects, a user configuration with the fake provider, and a data directory. */
export interface Workplace {
  project: string
  /** Adds another git project and returns its directory. */
  addProject(name: string): Promise<string>
  /** The file to which a server that watches its event loop writes on SIGUSR2. */
  loopFile: string
  /** The data directory of its servers. */
  data: string
  startServer(options?: ServerOptions): Promise<Server>
  remove(): Promise<void>
}

/** @param options `failEvery`: one call in this many fails, in changing ways; none when left out */
export async function startProvider(options: { failEvery?: number } = {}): Promise<Provider> {
  const started = await startProcess([providerProgram, String(options.failEvery ?? 0)])
  const { url } = ProviderHello.parse(started.hello)
  const spent = async (id: string) => {
    const response = await fetch(`${url}/time?id=${encodeURIComponent(id)}`)
    return z.object({ ms: z.number(), asked: z.number() }).parse(await response.json())
  }
  const time = async (id: string) => (await spent(id)).ms
  return { ...started, url, time, asked: async (id) => (await spent(id)).asked }
}

/** @param options `checkout`: directory of the checkout from which the servers start */
export async function createWorkplace(options: { provider: Provider; checkout: string }): Promise<Workplace> {
  const { provider, checkout } = options
  const ownProgram = serverProgram(checkout)
  const directory = await mkdtemp(path.join(tmpdir(), "docket-bench-"))
  const data = path.join(directory, "data")
  const configDirectory = path.join(directory, ".config", "docket")
  await mkdir(configDirectory, { recursive: true })
  await writeFile(path.join(configDirectory, "docket.json"), JSON.stringify(config(provider.url)))
  const project = await createProject(path.join(directory, "project"))
  const loopFile = path.join(directory, "loop.json")
  return {
    project,
    addProject: (name) => createProject(path.join(directory, name)),
    loopFile,
    data,
    startServer: async ({ port = 0, watchLoop = false, web = false, program = ownProgram, role, env: own } = {}) => {
      const pages = web ? [] : ["--no-web"]
      const place = role === "web" ? [] : ["--project", project]
      const node = role === undefined ? [] : ["--role", role]
      const options = [...pages, "--json", "--port", String(port), "--data", data, ...place, ...node]
      // A home directory of its own: no configuration, keys or local models of this machine are used.
      const env = { PATH: process.env.PATH, HOME: directory, ...own, ...(watchLoop && { DOCKET_BENCH_LOOP: loopFile }) }
      const probe = watchLoop ? ["--import", loopProbe] : []
      const started = await startProcess([...probe, program, ...options], { cwd: project, env })
      const server = { ...started, ...ServerHello.parse(started.hello) }
      if (web) await pagesAnswer(server.url)
      return server
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** The API is ready first; pages answer 503 until the web app is loaded. */
async function pagesAnswer(url: string): Promise<void> {
  for (;;) {
    const { status } = await fetch(`${url}/login`)
    if (status === 200) return
    if (status !== 503) throw new Error(`${url}/login answers ${status}: build the web app first`)
    await delay(50)
  }
}

/** The program that starts the service: older checkouts have it under another name. */
function serverProgram(checkout: string): string {
  const programs = ["main.js", "main.ts"].map((name) => path.join(checkout, "apps/server/src", name))
  const program = programs.find((file) => existsSync(file))
  if (program === undefined) throw new Error(`${checkout} is no checkout of Docket: it has no ${programs[0]}`)
  return program
}

async function createProject(directory: string): Promise<string> {
  await mkdir(directory)
  await writeFile(path.join(directory, "notes.md"), "# Notes\n\nA short file that the model reads.\n")
  execFileSync("git", ["init", "--quiet"], { cwd: directory })
  return directory
}

function config(providerUrl: string): object {
  return {
    model: "bench/bench",
    small_model: "bench/bench",
    permission: "allow",
    provider: {
      bench: {
        npm: "@ai-sdk/openai-compatible",
        name: "Bench",
        options: { baseURL: `${providerUrl}/v1`, apiKey: "bench" },
        models: { bench: { name: "Bench", tool_call: true, limit: { context: 10_000_000, output: 8_192 } } },
      },
    },
    delegation: { concurrency: 8 },
    // Older checkouts do not know the key, and ignore it.
    lsp: false,
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (!address || typeof address === "string") throw new Error("no free port")
  return address.port
}
