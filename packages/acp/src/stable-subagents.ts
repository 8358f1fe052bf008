import { z } from "zod"

/**
 * Agents tell of their subagents in several forms. This makes the protocol's own form of them (`subagent_update` and
 * `session_message`), frame by frame; all other frames stay as they are.
 */
export interface StableSubagents {
  translate(frame: unknown): unknown[]
}

const Update = z.looseObject({ sessionUpdate: z.string() })
const Notified = z.looseObject({
  method: z.literal("session/update"),
  params: z.looseObject({ sessionId: z.string(), update: Update }),
})
const Asked = z.looseObject({
  method: z.literal("session/request_permission"),
  params: z.looseObject({ sessionId: z.string(), toolCall: z.looseObject({}) }),
})

/** The draft before the stable form, which some adapters speak. */
const Spawned = z.looseObject({
  sessionUpdate: z.literal("subagent_spawned"),
  subagentSessionId: z.string(),
  name: z.string().optional(),
  task: z.string().optional(),
  prompt: z.string().optional(),
  capabilities: z.looseObject({ cancel: z.boolean().optional() }).nullish(),
})
const SpawnedState = z.looseObject({
  sessionUpdate: z.literal("subagent_state_update"),
  subagentSessionId: z.string(),
  state: z.string(),
})

/** OpenCode's extension: the nodes of a tree that have changed. */
const ChangedNodes = z.looseObject({
  method: z.literal("_opencode/subagents/update"),
  params: z.looseObject({ upsert: z.array(z.unknown()) }),
})
const Node = z.looseObject({
  sessionId: z.string(),
  parentSessionId: z.string(),
  title: z.string().optional(),
  agent: z.string().optional(),
  phase: z.string(),
  cwd: z.string().optional(),
})

/** Claude Code's calls, which name the call that started their subagent. */
const Nested = z.looseObject({
  _meta: z.looseObject({
    claudeCode: z.looseObject({ parentToolUseId: z.string().optional(), toolName: z.string().optional() }),
  }),
})
const Launch = z.looseObject({
  toolCallId: z.string(),
  status: z.string().optional(),
  rawInput: z
    .looseObject({
      description: z.string().optional(),
      prompt: z.string().optional(),
      subagent_type: z.string().optional(),
    })
    .optional(),
  _meta: z.looseObject({
    claudeCode: z.looseObject({
      toolName: z.enum(["Agent", "Task"]),
      toolResponse: z.looseObject({ isAsync: z.boolean().optional() }).optional(),
    }),
  }),
})

/** How the drafts' last states are called in the stable form. */
const endReasons: Readonly<Record<string, string>> = {
  completed: "end_turn",
  failed: "error",
  cancelled: "cancelled",
  disconnected: "error",
}

/** A call that starts a subagent of Claude Code, whose calls come in the session above it. */
interface Launched {
  session: string
  title: string | undefined
  role: string | undefined
  prompt: string | undefined
  isTold: boolean
  isAsync: boolean
}

export function createStableSubagents(): StableSubagents {
  const launches = new Map<string, Launched>()

  const told = (id: string, launch: Launched): unknown[] => {
    if (launch.isTold) return []
    launch.isTold = true
    const frames = announced(launch.session, id, launch)
    launch.prompt = undefined
    return frames
  }
  const nested = (frame: unknown, session: string, from: unknown): unknown[] | null => {
    const read = Nested.safeParse(from)
    const parent = read.success ? read.data._meta.claudeCode.parentToolUseId : undefined
    const launch = parent === undefined ? undefined : launches.get(parent)
    // The agent has put it into the session of the subagent by itself.
    if (parent === undefined || launch === undefined || launch.session !== session) return null
    return [...told(parent, launch), withSession(frame, parent)]
  }
  const launched = (frame: unknown, session: string, update: unknown): unknown[] | null => {
    const read = Launch.safeParse(update)
    if (!read.success) return null
    const { toolCallId: id, rawInput, status, _meta } = read.data
    const known = launches.get(id) ?? blank(session)
    launches.set(id, known)
    known.title = rawInput?.description ?? known.title
    known.role = rawInput?.subagent_type ?? known.role
    if (!known.isTold) known.prompt = rawInput?.prompt ?? known.prompt
    known.isAsync ||= _meta.claudeCode.toolResponse?.isAsync === true
    // A subagent in the background has only been started by then, and is not told of when it ends.
    const isOver = known.isTold && !known.isAsync && (status === "completed" || status === "failed")
    return isOver ? [ended(session, id, endReasons[status] ?? "error"), frame] : [frame]
  }

  return {
    translate(frame) {
      const changed = ChangedNodes.safeParse(frame)
      if (changed.success) return changed.data.params.upsert.flatMap(nodeFrames)
      const asked = Asked.safeParse(frame)
      if (asked.success) return nested(frame, asked.data.params.sessionId, asked.data.params.toolCall) ?? [frame]
      const notified = Notified.safeParse(frame)
      if (!notified.success) return [frame]
      const { sessionId: session, update } = notified.data.params
      const spawned = Spawned.safeParse(update)
      if (spawned.success) return spawnedFrames(session, spawned.data)
      const state = SpawnedState.safeParse(update)
      if (state.success) return [ended(session, state.data.subagentSessionId, endReasons[state.data.state] ?? "error")]
      return nested(frame, session, update) ?? launched(frame, session, update) ?? [frame]
    },
  }
}

function blank(session: string): Launched {
  return { session, title: undefined, role: undefined, prompt: undefined, isTold: false, isAsync: false }
}

function spawnedFrames(
  session: string,
  { subagentSessionId, name, task, prompt, capabilities }: z.infer<typeof Spawned>,
) {
  const mayCancel = capabilities?.cancel === true
  return announced(session, subagentSessionId, { title: task ?? name, role: name, prompt: prompt ?? task, mayCancel })
}

function nodeFrames(node: unknown): unknown[] {
  const read = Node.safeParse(node)
  if (!read.success) return []
  const { parentSessionId, sessionId, title, agent, phase, cwd } = read.data
  const reason = endReasons[phase]
  const state = reason === undefined ? { state: "running" } : { state: "idle", stopReason: reason }
  const named = { ...(title !== undefined && { title }), ...(agent !== undefined && { description: agent }) }
  const placed = { ...(cwd !== undefined && { cwd }), capabilities: { cancel: {} } }
  return [subagentUpdate(parentSessionId, sessionId, { ...named, ...placed, state })]
}

function announced(
  session: string,
  id: string,
  child: { title?: string | undefined; role?: string | undefined; prompt?: string | undefined; mayCancel?: boolean },
): unknown[] {
  const { title, role, prompt, mayCancel = false } = child
  const labels = { ...(title !== undefined && { title }), ...(role !== undefined && { description: role }) }
  const capabilities = mayCancel ? { cancel: {} } : null
  const begun = subagentUpdate(session, id, { ...labels, capabilities, state: { state: "running" } })
  if (prompt === undefined) return [begun]
  const ends = { messageId: id, senderSessionId: session, recipientSessionId: id }
  return [
    begun,
    notification(id, { sessionUpdate: "session_message", ...ends, content: [{ type: "text", text: prompt }] }),
  ]
}

function ended(session: string, id: string, stopReason: string): unknown {
  return subagentUpdate(session, id, { state: { state: "idle", stopReason } })
}

function subagentUpdate(session: string, id: string, change: object): unknown {
  return notification(session, { sessionUpdate: "subagent_update", sessionId: id, ...change })
}

function notification(sessionId: string, update: object): unknown {
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId, update } }
}

function withSession(frame: unknown, sessionId: string): unknown {
  const { params, ...rest } = frame as { params: object }
  return { ...rest, params: { ...params, sessionId } }
}
