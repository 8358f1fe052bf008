import type { OpenedProgram, ProgramEnd } from "@docket/core/agent-programs"
import { z } from "zod"
import { type AgentSessions, createAgentSession } from "./agent-sessions.ts"
import { endOf } from "./end-of.ts"
import { createSubagentRun, type SubagentRun } from "./subagent-run.ts"

/** Levels of subagents below a conversation, and how many of them in all. */
const deepest = 8
const most = 300

export interface Subagents {
  /** Reads what an agent tells of its subagents; false for everything else. */
  receive(params: unknown): boolean
  /** The answer in which they worked is over, and so are they. */
  endAll(end: ProgramEnd | Error): void
}

interface SubagentsDeps {
  sessions: AgentSessions
  facts(): Omit<OpenedProgram["facts"], "conversation" | "begun">
  directory: string
  /** Tells a subagent to stop. */
  cancel(id: string): void
  /** Asks for what a subagent says, where it does not come by itself. */
  follow(id: string): void
  /** What is left out, and why. */
  note(line: string): void
}

const Change = z.object({
  sessionUpdate: z.literal("subagent_update"),
  sessionId: z.string().min(1).max(500),
  title: z.string().nullish().catch(undefined),
  description: z.string().nullish().catch(undefined),
  capabilities: z
    .looseObject({ cancel: z.looseObject({}).nullish() })
    .nullish()
    .catch(undefined),
  state: z
    .looseObject({
      state: z.string(),
      stopReason: z.string().nullish().catch(undefined),
      error: z.looseObject({ message: z.string() }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
})
const Said = z.object({
  sessionUpdate: z.literal("session_message"),
  recipientSessionId: z.string(),
  content: z.array(z.unknown()).nullish().catch(undefined),
})
const Told = z.object({
  sessionId: z.string(),
  update: z.discriminatedUnion("sessionUpdate", [Change, Said]),
})
const Text = z.object({ type: z.literal("text"), text: z.string() })

export function createSubagents(deps: SubagentsDeps): Subagents {
  const { sessions } = deps
  const runs = new Map<string, SubagentRun>()
  const depths = new Map<string, number>()
  let count = 0

  const end = (id: string, run: SubagentRun, how: ProgramEnd | Error) => {
    runs.delete(id)
    run.end(how)
  }
  const begin = (parent: string, id: string): SubagentRun | null => {
    const depth = (depths.get(parent) ?? 0) + 1
    count += 1
    if (depth > deepest || count > most) {
      deps.note(`[Docket] A subagent was left out: there are at most ${most}, ${deepest} deep.`)
      return null
    }
    const { facts } = deps
    const run = createSubagentRun({
      ...{ id, parent, facts },
      above: () => sessions.get(parent).desk,
      cancel: () => deps.cancel(id),
    })
    depths.set(id, depth)
    runs.set(id, run)
    sessions.add(id, createAgentSession(run.desk, deps.directory))
    deps.follow(id)
    return run
  }
  const change = (parent: string, told: z.infer<typeof Change>): boolean => {
    const { sessionId: id, title, description, capabilities, state } = told
    const known = runs.get(id)
    // No conversation becomes the subagent of another, nor of itself.
    if (known === undefined ? sessions.has(id) && !depths.has(id) : known.parent !== parent) return false
    if (known === undefined && state?.state === "idle") return false
    const run = known ?? begin(parent, id)
    if (run === null) return false
    if (title !== undefined) run.labels.title = title ?? ""
    if (description !== undefined) run.labels.role = description ?? ""
    if (capabilities !== undefined) run.labels.mayCancel = capabilities?.cancel != null
    if (state?.state === "idle") end(id, run, endOf(state.stopReason ?? "end_turn", state.error?.message))
    return true
  }
  return {
    receive(params) {
      const told = Told.safeParse(params)
      if (!told.success || !sessions.has(told.data.sessionId)) return false
      const { sessionId, update } = told.data
      if (update.sessionUpdate === "subagent_update") return change(sessionId, update)
      const texts = (update.content ?? []).flatMap((block) => Text.safeParse(block).data?.text ?? [])
      runs.get(update.recipientSessionId)?.asked(texts.join("\n"))
      return true
    },
    endAll(how) {
      for (const [id, run] of runs) end(id, run, how)
    },
  }
}
