import type { ProgramCommand, ProgramDesk } from "@docket/core/agent-programs"
import { createDescriber, type KnownCall, textOf, withChange } from "./described-call.ts"
import { SessionUpdate, ToolChange, type Update } from "./session-update.ts"

/** Most calls of a conversation. */
const mostCalls = 20_000
/** Calls that have ended and may still change. Some agents tell of a result only after the end. */
const mostEnded = 100

/** A conversation of a program, and who hears it. */
export interface AgentSession {
  desk: ProgramDesk
  /** Commands that run for the program, by its ids. */
  commands: Map<string, ProgramCommand>
  /** Tells of a call, and returns its id. */
  call(change: ToolChange): string
  update(update: Update): void
  /** While it is told what was said before, nothing of it is new. */
  mute(isMuted: boolean): void
}

/** The conversations of one program, by its ids. Each goes to a session of its own. */
export interface AgentSessions {
  add(id: string, session: AgentSession): void
  has(id: string): boolean
  /** @throws Error for one that is not known */
  get(id: string): AgentSession
  /** Reads the parameters of `session/update`; false when they say nothing of a known conversation. */
  receive(params: unknown): boolean
}

export function createAgentSessions(): AgentSessions {
  const sessions = new Map<string, AgentSession>()
  return {
    add: (id, session) => void sessions.set(id, session),
    has: (id) => sessions.has(id),
    get(id) {
      const session = sessions.get(id)
      if (session === undefined) throw new Error(`There is no session ${id}.`)
      return session
    },
    receive(params) {
      const read = SessionUpdate.safeParse(params)
      const session = read.success ? sessions.get(read.data.sessionId) : undefined
      if (!read.success || session === undefined) return false
      session.update(read.data.update)
      return true
    },
  }
}

export function createAgentSession(desk: ProgramDesk, directory: string): AgentSession {
  /** Null for one that ended long ago, of which nothing more is heard. */
  const calls = new Map<string, KnownCall | null>()
  const ended = new Set<string>()
  const commands = new Map<string, ProgramCommand>()
  const describe = createDescriber({ directory, commands })
  let isMuted = false
  const session: AgentSession = {
    desk,
    commands,
    call(change) {
      const before = calls.get(change.toolCallId)
      if (before === null) return change.toolCallId
      const known = withChange(before, change)
      calls.set(known.toolCallId, known)
      if (known.status === "completed" || known.status === "failed") ended.add(known.toolCallId)
      if (ended.size > mostEnded) {
        const [oldest = ""] = ended
        ended.delete(oldest)
        calls.set(oldest, null)
      }
      if (calls.size > mostCalls) desk.fail(new Error(`The program made more than ${mostCalls} calls.`))
      else desk.call(describe(known))
      return known.toolCallId
    },
    update(update) {
      if (isMuted) return
      switch (update.sessionUpdate) {
        case "agent_message_chunk":
          desk.say("text", textOf(update.content), update.messageId ?? null)
          break
        case "agent_thought_chunk":
          desk.say("reasoning", textOf(update.content), update.messageId ?? null)
          break
        case "tool_call":
        case "tool_call_update":
          session.call(ToolChange.parse(update))
          break
        case "plan":
          desk.plan(update.entries)
          break
        case "usage_update": {
          const { used, size, cost } = update
          desk.used({ spent: cost?.currency === "USD" ? cost.amount : null, context: { used, size } })
          break
        }
      }
    },
    mute(muted) {
      isMuted = muted
    },
  }
  return session
}
