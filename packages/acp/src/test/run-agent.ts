import { execFileSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import path from "node:path"
import type { ToolPart } from "@docket/core/schema"
import { projectFixture } from "@docket/core/test/project-fixture"
import { answer, lastUserText, scriptedRuntime, toolResults } from "@docket/core/test/scripted-runtime"
import { nodeTimers, type Timers } from "@docket/core/timers"
import { onTestFinished } from "vitest"
import { createAgentPrograms } from "../create-agent-programs.ts"

const script = path.join(import.meta.dirname, "scripted-agent.mjs")

interface RunOptions {
  files?: Record<string, string>
  /** What the agent is able to do, as words of the script. */
  able?: string
  /** More of the agent's entry. */
  agent?: object
  /** More of its `acp`. */
  acp?: object
  permission?: object | string
  config?: object
  isGit?: boolean
  isSandboxed?: boolean
  timers?: Timers
}

/** What the scripted agent does. */
export type Act = Record<string, unknown>

/** A runtime whose model delegates what a prompt says to a scripted agent. */
export async function runAgent(options: RunOptions = {}) {
  const {
    files = { "a.txt": "one\ntwo\n" },
    able = "",
    permission = "allow",
    isGit = true,
    isSandboxed = false,
  } = options
  const { directory, sandbox, env } = await projectFixture("acp", { ...files, ".gitignore": ".home\n.data\nlog.txt\n" })
  const log = path.join(directory, "log.txt")
  if (isGit) {
    const git = (...args: string[]) => execFileSync("git", args, { cwd: directory })
    git("init", "-q")
    git("add", ".")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "begin")
  }
  const results: string[] = []
  const run = await scriptedRuntime(
    (call) => {
      const found = toolResults(call)
      results.push(...found)
      const text = lastUserText(call)
      return found.length > 0 || !text.startsWith("{") ? answer("Done.") : answer("", JSON.parse(text))
    },
    {
      directory,
      ...(isSandboxed && { sandbox }),
      agentPrograms: createAgentPrograms({ timers: options.timers ?? nodeTimers }),
      env,
      config: {
        delegation: { envelope: false },
        ...options.config,
        permission,
        agent: {
          helper: {
            description: "Does what it is told.",
            acp: { command: process.execPath, args: [script, log, able], ...options.acp },
            ...options.agent,
          },
        },
      },
    },
  )
  onTestFinished(() => run[Symbol.asyncDispose]())
  const delegation = (acts: readonly Act[], more: object = {}) => {
    const input = { description: "A task", prompt: JSON.stringify(acts), subagent_type: "helper", ...more }
    return JSON.stringify({ tool: "task", input })
  }
  const child = async () => {
    const { items } = await run.store.session.tree(run.session.id).then((all) => ({
      items: all.filter(({ parentID }) => parentID !== null),
    }))
    const found = items.at(-1)
    if (found === undefined) throw new Error("Nothing was delegated.")
    return found
  }
  return {
    ...{ run, directory, results, child, delegation },
    at: (name: string) => path.join(directory, name),
    /** Delegates acts, and waits for the end of the turn. */
    delegate: (acts: readonly Act[], more: object = {}) => run.prompt(delegation(acts, more)),
    /** The messages of the child. */
    messages: async () => (await run.messages((await child()).id)).items,
    /** All calls of the child, in their order. */
    async calls(): Promise<ToolPart[]> {
      const { items } = await run.messages((await child()).id)
      return items.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
    },
    /** What the agent noted. */
    async noted(): Promise<Record<string, unknown>[]> {
      const text = await readFile(log, "utf8").catch(() => "")
      return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
    },
  }
}
