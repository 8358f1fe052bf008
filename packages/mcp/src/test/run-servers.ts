import { execFileSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import path from "node:path"
import { createIdSource } from "@docket/core"
import type { FoundPackages } from "@docket/core/installed-packages"
import { createProgramRoom } from "@docket/core/program-room"
import type { McpServerConfig } from "@docket/core/schema"
import { noPrograms } from "@docket/core/test/no-programs"
import { projectFixture } from "@docket/core/test/project-fixture"
import { answer, lastUserText, scriptedRuntime, toolResults } from "@docket/core/test/scripted-runtime"
import { nodeTimers, type Timers } from "@docket/core/timers"
import type { Trace } from "@docket/core/trace"
import { onTestFinished } from "vitest"
import { createMcpServers } from "../create-mcp-servers.ts"

const script = path.join(import.meta.dirname, "hostile-server.mjs")

/** The configuration of a server that does one wrong thing. `log` is where it notes what it does. */
export function hostile(mode: string, log = ""): Extract<McpServerConfig, { type: "local" }> {
  return { type: "local", command: [process.execPath, script, mode, log] }
}

const noPackages: FoundPackages = { find: async () => null, directoryOf: ({ name }) => name }

interface RunOptions {
  packages?: FoundPackages
  mcp?: Record<string, object>
  permission?: object | string
  /** Files of the project. */
  files?: Record<string, string>
  timers?: Timers
  trace?: Trace
  env?: Record<string, string>
  most?: number
  /** Whether a project's servers run in the sandbox, as they do for users. */
  isSandboxed?: boolean
  /** Settings besides servers and permissions. */
  config?: object
  /** The project is a git repository, in which tasks work apart. */
  isGit?: boolean
  /** Servers that another program of the user has. */
  others?: Record<string, McpServerConfig>
}

function commitAll(cwd: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd })
  git("init", "-q")
  git("add", ".")
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "begin")
}

/** A runtime with MCP servers, and a model that makes the calls in a prompt (JSON). */
export async function runServers(options: RunOptions = {}) {
  const {
    mcp = {},
    permission = "allow",
    files = {},
    timers = nodeTimers,
    most = 32,
    others = {},
    isSandboxed = false,
    isGit = false,
  } = options
  const { directory, sandbox } = await projectFixture("mcp", files)
  const log = path.join(directory, "log.txt")
  if (isGit) commitAll(directory)
  const host = createMcpServers({
    packages: options.packages ?? noPackages,
    ...{ timers, now: () => performance.now(), clock: Date.now },
    createID: createIdSource(),
    cacheDirectory: path.join(directory, ".data/mcp"),
    room: createProgramRoom({ most, names: "MCP servers" }),
    trace: options.trace,
  })
  const offered: { name: string; description?: string | undefined }[][] = []
  const results: string[] = []
  let last = ""
  const run = await scriptedRuntime(
    (call) => {
      offered.push((call.tools ?? []).map((tool) => ({ name: tool.name, ...("description" in tool && tool) })))
      const said = call.prompt.findLast(({ role }) => role === "user")
      last = JSON.stringify(said?.content).replaceAll('\\"', '"')
      const found = toolResults(call)
      results.push(...found)
      const text = lastUserText(call)
      return found.length > 0 || !text.startsWith("[") ? answer("Done.") : answer("", ...JSON.parse(text))
    },
    {
      ...(isSandboxed && { sandbox }),
      ...{ directory, extensions: [host], config: { ...options.config, permission, mcp } },
      // Worktrees of tasks lie outside of the project.
      ...(isGit && { dataDirectory: "../data" }),
      programs: {
        ...noPrograms,
        userServers: async () => ({
          servers: Object.entries(others).map(([name, config]) => ({ name, config, file: "/other.json", line: null })),
          problems: [],
        }),
      },
      env: { PATH: process.env.PATH ?? "", HOME: path.join(directory, ".home"), ...options.env },
    },
  )
  onTestFinished(async () => {
    await run[Symbol.asyncDispose]()
    await host.close()
  })
  const { projectID } = run.session
  const items = () => run.runtime.extension.list(projectID)
  const itemOf = async (name: string) => (await items()).find(({ title }) => title === name)
  return {
    ...{ run, directory, log, offered, results, items, itemOf, projectID },
    /** What the model was told last. */
    told: () => last,
    /** Lines that the server noted. */
    noted: async () => (await readFile(log, "utf8").catch(() => "")).split("\n").filter((line) => line !== ""),
    /** Waits until a server is in a state. */
    async untilState(name: string, states: readonly string[]) {
      while (true) {
        const item = await itemOf(name)
        if (item !== undefined && states.includes(item.state)) return item
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    async toolNames() {
      await run.prompt("Hello")
      return (offered.at(-1) ?? []).map(({ name }) => name)
    },
    call: (...made: { tool: string; input: object }[]) => run.prompt(JSON.stringify(made)),
    async trust() {
      const { trust } = await run.runtime.config.get(projectID)
      await run.runtime.config.trust({ projectID, hash: trust.hash ?? "" })
      return trust.entries
    },
  }
}
