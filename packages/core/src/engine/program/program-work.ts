import path from "node:path"
import { PermissionRejectedError } from "../../acts/permission/error.ts"
import type { Tool } from "../../acts/tool/tool.ts"
import type { ToolPart } from "../../ground/schema/index.ts"
import { readToolCall } from "../../ground/schema/read-tool-call.ts"
import { type CallsDeps, executeCalls } from "../calls/execute-calls.ts"
import { EndedByProgram } from "../loop/stop-reason.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { ProgramCall, ProgramDesk, ProgramSubagent } from "./agent-programs.ts"
import type { ProgramAnswer } from "./program-answer.ts"
import { createProgramFileTool } from "./program-file.ts"
import { type ProgramLeave, workOfCommand, workOfWrite } from "./program-leave.ts"

export interface ProgramWorkDeps extends CallsDeps {
  tools: { write: Tool; bash: Tool }
  /** The call in which a subagent of the program works as a task. */
  subagentTool(turn: TurnContext, told: ProgramSubagent): Tool
}

/** What Docket does for a program: calls of its own tools, with their rules, sandbox and record. */
export interface ProgramWork extends Pick<ProgramDesk, "read" | "write" | "run" | "subagent"> {
  /** A call was allowed: what is done for it is not asked again. */
  allow(leave: ProgramLeave): void
  /** Ends the commands that still run. Subagents end by themselves, with the answer in which they were started. */
  end(): Promise<void>
}

/** ms that a command may take; a program ends its own ones before. */
const longestCommand = 600_000

/**
 * @param over aborts when the answer has ended: nothing begins for it any more then
 * @param onRejected called when a person rejects such a call without a word
 */
export function createProgramWork(
  deps: ProgramWorkDeps,
  turn: TurnContext,
  { answer, over, onRejected }: { answer: ProgramAnswer; over: AbortSignal; onRejected(error: Error): void },
): ProgramWork {
  const { directory: home } = turn.session
  const leaves: ProgramLeave[] = []
  const stops = new Set<AbortController>()
  const running = new Set<Promise<unknown>>()

  /** The leave for a work, which is used up by it. Null where there is none, or its place cannot be told. */
  const takeLeave = async (work: Promise<string>): Promise<ProgramLeave | null> => {
    const name = await work.catch(() => null)
    return leaves.find(({ works }) => name !== null && works.delete(name)) ?? null
  }

  interface Made {
    isFor(told: ProgramCall): boolean
    /** What it is, where the program may have leave for it. */
    workOf?(): Promise<string>
    stop?: AbortController
  }

  const make = (tool: Tool, input: unknown, { isFor, workOf, stop }: Made) => {
    over.throwIfAborted()
    const { part, done } = answer.own(tool.id, input, isFor)
    const work = async (): Promise<ToolPart> => {
      const { step, ready } = answer.files()
      await ready
      const signal = stop === undefined ? turn.signal : AbortSignal.any([turn.signal, stop.signal])
      const leave = workOf === undefined ? null : await takeLeave(workOf())
      const broker = leave === null ? deps.broker : withLeave(deps.broker, leave)
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
    allow: (leave) => void leaves.push(leave),
    async read({ path: file, line, limit }) {
      let text: string | null = null
      const tool = createProgramFileTool((found) => {
        text = found
      })
      const input = {
        filePath: file,
        ...(line !== null && { offset: Math.max(1, line) }),
        ...(limit !== null && { limit }),
      }
      const isFor = (told: ProgramCall) => told.tool === "read" && told.files.includes(file)
      const { ended } = make(tool as Tool, input, { isFor })
      const problem = problemOf(await ended)
      if (text === null || problem !== null) throw new Error(problem ?? "The file was not read.")
      return text
    },
    async write({ path: file, content }) {
      const isFor = (told: ProgramCall) => told.tool === "edit" && told.files.includes(file)
      const workOf = () => workOfWrite(path.resolve(home, file), content)
      const { ended } = make(deps.tools.write, { filePath: file, content }, { isFor, workOf })
      const problem = problemOf(await ended)
      if (problem !== null) throw new Error(problem)
    },
    run({ script, directory }) {
      const stop = new AbortController()
      const isFor = (told: ProgramCall) => told.tool === "bash" && told.command === script
      const input = { command: script, ...(directory !== null && { workdir: directory }), timeout: longestCommand }
      const workOf = () => workOfCommand(path.resolve(home, directory ?? "."), script)
      const { part, ended } = make(deps.tools.bash, input, { isFor, workOf, stop })
      stops.add(stop)
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
      if (over.aborted) return told.refuse()
      const input = { description: told.title, prompt: told.prompt, subagent_type: turn.agent.name }
      make(deps.subagentTool(turn, told), input, { isFor: () => false })
    },
    async end() {
      for (const stop of stops) stop.abort(new EndedByProgram())
      await Promise.allSettled(running)
    },
  }
}

/**
 * What was allowed for the program's own call holds for what Docket does for it; not more, and not against a mode that
 * was chosen meanwhile.
 */
function withLeave(broker: CallsDeps["broker"], leave: ProgramLeave): CallsDeps["broker"] {
  return {
    ...broker,
    async ask(input) {
      if (!leave.covers(input.request)) return broker.ask(input)
      await broker.refuseDenied(input)
      return null
    },
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
