import { PermissionRejectedError } from "../../acts/permission/error.ts"
import type { Tool } from "../../acts/tool/tool.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import type { ToolPart } from "../../ground/schema/index.ts"
import { readToolCall } from "../../ground/schema/read-tool-call.ts"
import { type CallsDeps, executeCalls } from "../calls/execute-calls.ts"
import { EndedByProgram } from "../loop/stop-reason.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { ProgramCall, ProgramDesk, ProgramSubagent } from "./agent-programs.ts"
import type { ProgramAnswer } from "./program-answer.ts"
import { createProgramFileTool } from "./program-file.ts"

export interface ProgramWorkDeps extends CallsDeps {
  tools: { write: Tool; bash: Tool }
  /** The call in which a subagent of the program works as a task. */
  subagentTool(turn: TurnContext, told: ProgramSubagent): Tool
}

/** What Docket does for a program: calls of its own tools, with their rules, sandbox and record. */
export interface ProgramWork extends Pick<ProgramDesk, "read" | "write" | "run" | "subagent"> {
  /** A call was allowed: what is done for it is not asked again. */
  allow(call: ProgramCall): void
  /** Ends the commands that still run. Subagents end by themselves, with the answer in which they were started. */
  end(): Promise<void>
}

/** ms that a command may take; a program ends its own ones before. */
const longestCommand = 600_000

/** @param onRejected called when a person rejects such a call without a word */
export function createProgramWork(
  deps: ProgramWorkDeps,
  turn: TurnContext,
  { answer, onRejected }: { answer: ProgramAnswer; onRejected(error: Error): void },
): ProgramWork {
  const writes = new Set<string>()
  const scripts = new Set<string>()
  const stops = new Set<AbortController>()
  const running = new Set<Promise<unknown>>()

  const make = (
    tool: Tool,
    input: unknown,
    { isFor, isAllowed, stop }: { isFor(told: ProgramCall): boolean; isAllowed: boolean; stop: AbortController },
  ) => {
    const { part, done } = answer.own(tool.id, input, isFor)
    const work = async (): Promise<ToolPart> => {
      const { step, ready } = answer.files()
      await ready
      const signal = AbortSignal.any([turn.signal, stop.signal])
      const broker = isAllowed ? allowing(deps.broker) : deps.broker
      const { rejected } = await executeCalls({ ...deps, broker }, { ...turn, signal }, [part], [tool], step)
      if (rejected) onRejected(new PermissionRejectedError(null))
      return current(turn, part)
    }
    const ended = work().finally(done)
    running.add(ended)
    ended.catch(() => {}).finally(() => running.delete(ended))
    return { part, ended }
  }

  return {
    allow({ tool, changes, command }) {
      if (tool === "edit") for (const { file, after } of changes) writes.add(`${file}\0${after}`)
      if (tool === "bash" && command !== null) scripts.add(command)
    },
    async read({ path, line, limit }) {
      let text: string | null = null
      const tool = createProgramFileTool((found) => {
        text = found
      })
      const input = {
        filePath: path,
        ...(line !== null && { offset: Math.max(1, line) }),
        ...(limit !== null && { limit }),
      }
      const isFor = (told: ProgramCall) => told.tool === "read" && told.files.includes(path)
      const { ended } = make(tool as Tool, input, { isFor, isAllowed: false, stop: new AbortController() })
      const problem = problemOf(await ended)
      if (text === null || problem !== null) throw new Error(problem ?? "The file was not read.")
      return text
    },
    async write({ path, content }) {
      const isFor = (told: ProgramCall) => told.tool === "edit" && told.files.includes(path)
      const isAllowed = writes.has(`${path}\0${content}`) || writes.has(`${await realpathOfDeepest(path)}\0${content}`)
      const input = { filePath: path, content }
      const { ended } = make(deps.tools.write, input, { isFor, isAllowed, stop: new AbortController() })
      const problem = problemOf(await ended)
      if (problem !== null) throw new Error(problem)
    },
    run({ script, directory }) {
      const stop = new AbortController()
      stops.add(stop)
      const isFor = (told: ProgramCall) => told.tool === "bash" && told.command === script
      const input = { command: script, ...(directory !== null && { workdir: directory }), timeout: longestCommand }
      const { part, ended } = make(deps.tools.bash, input, { isFor, isAllowed: scripts.has(script), stop })
      const exited = ended.then(exitOf)
      let end: Awaited<typeof exited> | null = null
      void exited.then(
        (how) => {
          end = how
        },
        () => {},
      )
      return {
        id: part.id,
        output: () => outputOf(current(turn, part)),
        ended: exited,
        end: () => end,
        kill: () => stop.abort(new EndedByProgram()),
      }
    },
    subagent(told) {
      const input = { description: told.title, prompt: told.prompt, subagent_type: turn.agent.name }
      const stop = new AbortController()
      make(deps.subagentTool(turn, told), input, { isFor: () => false, isAllowed: false, stop })
    },
    async end() {
      for (const stop of stops) stop.abort(new EndedByProgram())
      await Promise.allSettled(running)
    },
  }
}

/** What the person allowed for the program's own call holds for what Docket does for it; not more. */
function allowing(broker: CallsDeps["broker"]): CallsDeps["broker"] {
  const covered: ReadonlySet<string> = new Set(["edit", "bash", "read", "external_directory"])
  return {
    ...broker,
    ask: async (input) => (covered.has(input.request.permission) ? null : broker.ask(input)),
  }
}

function current({ transcript }: TurnContext, part: ToolPart): ToolPart {
  const found = transcript.get(part.messageID)?.parts.find(({ id }) => id === part.id)
  return found?.type === "tool" ? found : part
}

function problemOf({ state }: ToolPart): string | null {
  if (state.status === "completed") return null
  return state.status === "error" ? state.error : "It was not done."
}

/** What a shell says of a command that it may not run. */
const notRun = 126

function exitOf(part: ToolPart): { exit: number | null; signal: string | null } {
  const call = readToolCall(part)
  const { exit = null, signal = null } = (call.tool === "bash" && call.metadata) || {}
  return exit === null && signal === null ? { exit: notRun, signal } : { exit, signal }
}

function outputOf(part: ToolPart): { text: string; isCut: boolean } {
  const call = readToolCall(part)
  const metadata = call.tool === "bash" ? call.metadata : null
  const text = metadata?.output ?? ""
  if (text === "" && part.state.status === "error") return { text: part.state.error, isCut: false }
  return { text, isCut: metadata?.truncated ?? false }
}
