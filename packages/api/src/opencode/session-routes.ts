import { DocketError } from "@docket/core"
import { records } from "@docket/core/operations"
import { PermissionAction, type PermissionRule, type Session, SessionID, type ToolSwitches } from "@docket/core/schema"
import type * as Sdk from "@opencode-ai/sdk/v2/types"
import { z } from "zod"
import { answerJson } from "../http/answer.ts"
import { requires } from "../http/guarded-routes.ts"
import { diffShape } from "./diff-shape.ts"
import { messageWithPartsShape } from "./message-shape.ts"
import {
  bodyOf,
  callOf,
  countOf,
  namedProjectID,
  type OpencodeApp,
  type OpencodeCall,
  type OpencodeDeps,
  projectOf,
  requireWithin,
  sessionIDOf,
} from "./opencode-app.ts"
import { OpencodeError } from "./opencode-error.ts"
import { sessionShape, statusShape, todoShape } from "./session-shape.ts"

const CreateBody = z.object({
  parentID: SessionID.optional(),
  title: z.string().optional(),
  agent: z.string().max(200).optional(),
  model: z.object({ id: z.string().min(1), providerID: z.string().min(1), variant: z.string().optional() }).optional(),
  permission: z
    .array(z.object({ permission: z.string().min(1).max(200), pattern: z.string(), action: PermissionAction }))
    .max(200)
    .default([]),
})

/** Trees whose sessions are read for a list, at most. */
const mostTrees = 200
/** Trees in an answer about statuses, besides those that work: clients ask for it again and again. */
const treesOfStatus = 50
/** Messages in an answer without a limit, at most. */
const mostMessages = 2_000

/** Sessions: made, listed, read and stopped. */
export function addSessionRoutes(app: OpencodeApp, deps: OpencodeDeps): void {
  const { version } = deps
  app.get("/session", requires("read"), async (c) =>
    answerJson(c, await listed(callOf(c, deps), deps, c.req.query()), 200),
  )
  app.get("/session/status", requires("read"), async (c) => {
    const call = callOf(c, deps)
    const projectID = await namedProjectID(call)
    const sessions = await call.agents.session.recent({ projectID, limit: treesOfStatus })
    const statuses: Record<string, Sdk.SessionStatus> = {}
    for (const { id, status } of sessions) statuses[id] = statusShape(status)
    // A prompt may wait: its session is busy from the moment when it was accepted.
    for (const { sessionID } of await call.agents.session.working({ projectID }))
      if (statuses[sessionID]?.type !== "retry") statuses[sessionID] = { type: "busy" }
    return answerJson(c, statuses satisfies Sdk.SessionStatusResponse, 200)
  })
  app.post("/session", requires("prompt", records("session.started")), async (c) => {
    const session = await created(callOf(c, deps), await bodyOf(c, CreateBody))
    c.var.recorder?.about({ session: session.id })
    return answerJson(c, sessionShape(session, version), 200)
  })
  app.get("/session/:id", requires("read"), async (c) => {
    const session = await callOf(c, deps).agents.session.get({ sessionID: sessionIDOf(c) })
    return answerJson(c, sessionShape(session, version), 200)
  })
  app.get("/session/:id/children", requires("read"), async (c) => {
    const children = await callOf(c, deps).agents.session.children({ sessionID: sessionIDOf(c) })
    return answerJson(
      c,
      children.map((child) => sessionShape(child, version)) satisfies Sdk.SessionChildrenResponse,
      200,
    )
  })
  app.get("/session/:id/todo", requires("read"), async (c) => {
    const todos = await callOf(c, deps).agents.todo.list({ sessionID: sessionIDOf(c) })
    return answerJson(c, todos.map(todoShape) satisfies Sdk.SessionTodoResponse, 200)
  })
  app.get("/session/:id/message", requires("read"), async (c) => {
    const call = callOf(c, deps)
    const limit = Math.min(countOf(c, "limit") || mostMessages, mostMessages)
    const sessionID = sessionIDOf(c)
    const { items, before } = await call.agents.session.messages({ sessionID, limit, before: c.req.query("before") })
    const place = await placeOf(call, await call.agents.session.get({ sessionID }))
    if (before !== null) c.env.outgoing.setHeader("x-next-cursor", before)
    const messages = items.map((message) => messageWithPartsShape(message, place))
    return answerJson(c, messages satisfies Sdk.SessionMessagesResponses[200], 200)
  })
  app.get("/session/:id/message/:messageID", requires("read"), async (c) => {
    const call = callOf(c, deps)
    const [sessionID, messageID] = [sessionIDOf(c), c.req.param("messageID")]
    const session = await call.agents.session.get({ sessionID })
    const { items } = await call.agents.session.messages({ sessionID, around: messageID, limit: 1 })
    const message = items.find(({ info }) => info.id === messageID)
    if (message === undefined) throw new OpencodeError(404, `The session ${sessionID} has no message ${messageID}.`)
    return answerJson(c, messageWithPartsShape(message, await placeOf(call, session)), 200)
  })
  app.get("/session/:id/diff", requires("read"), async (c) => {
    const diffs = await diffsOf(callOf(c, deps), sessionIDOf(c), c.req.query("messageID"))
    return answerJson(c, diffs satisfies Sdk.SessionDiffResponse, 200)
  })
  app.post("/session/:id/abort", requires("prompt", records("stopped")), async (c) => {
    const sessionID = sessionIDOf(c)
    await callOf(c, deps).agents.session.abort({ sessionID })
    return answerJson(c, true satisfies Sdk.SessionAbortResponse, 200)
  })
}

/** Where a session works. */
export async function placeOf({ agents, origin }: Pick<OpencodeCall, "agents" | "origin">, session: Session) {
  const { directory, projectID } = session
  // The directory of a project may be gone, while its sessions can still be read.
  const project = (await agents.project.list()).find(({ id }) => id === projectID)
  return { directory, worktree: project?.worktree ?? directory, project: project?.directory ?? directory, origin }
}

/** Files whose diffs are read for an answer, at most: each is read from snapshots. */
const mostDiffs = 50
/** Steps of a file that make its diff, at most. */
const mostSteps = 200

/** What the tree of a session changed, or what one prompt led to. */
async function diffsOf({ agents: { changes } }: OpencodeCall, sessionID: string, promptID: string | undefined) {
  const [summary, list] = await Promise.all([changes.summary({ sessionID }), changes.list({ sessionID })])
  const figures = promptID === undefined ? summary : summary.prompts.find(({ id }) => id === promptID)
  const meant = list.changes.filter((change) => promptID === undefined || change.promptID === promptID)
  const steps = Map.groupBy(meant, ({ path }) => path)
  const diffs = []
  for (const [index, file] of (figures?.diffs ?? []).entries()) {
    const own = (steps.get(file.path) ?? []).slice(-mostSteps)
    const isRead = index < mostDiffs && own.length > 0
    const pieces = isRead ? await changes.diff({ sessionID, path: file.path, steps: own.map(stepOf) }) : []
    diffs.push(diffShape(file, pieces))
  }
  return diffs
}

const stepOf = ({ sessionID, messageID }: { sessionID: string; messageID: string }) => ({ sessionID, messageID })

async function listed(call: OpencodeCall, { version }: Pick<OpencodeDeps, "version">, query: Record<string, string>) {
  const { roots, start, search, limit } = ListQuery.parse(query)
  const projectID = await namedProjectID(call)
  const sessions = await call.agents.session.recent({ projectID, search, limit: mostTrees })
  return sessions
    .filter(({ parentID, time }) => (parentID === null || !roots) && time.updated >= start)
    .toSorted((a, b) => b.time.updated - a.time.updated)
    .slice(0, limit)
    .map((session) => sessionShape(session, version)) satisfies Sdk.SessionListResponse
}

const ListQuery = z.object({
  roots: z.literal("true").optional().catch(undefined),
  start: z.coerce.number().catch(0).default(0),
  search: z.string().max(200).optional().catch(undefined),
  limit: z.coerce.number().int().positive().max(1_000).catch(100).default(100),
})

/** A new root session, or a child that waits for its first prompt. */
async function created(call: OpencodeCall, body: z.output<typeof CreateBody>): Promise<Session> {
  const { session } = call.agents
  const { parentID, agent, model, permission } = body
  const title = body.title?.trim().slice(0, 200) || undefined
  const { switches, deny } = refusalsOf(permission)
  const tools = Object.keys(switches).length > 0 ? switches : undefined
  if (parentID === undefined) {
    const { id: projectID } = await projectOf(call)
    const chosen = model && { model: { providerID: model.providerID, modelID: model.id }, variant: model.variant }
    return session.create({ projectID, title, agent, tools, deny, ...chosen }, call.asker)
  }
  if (deny.length > 0)
    throw new OpencodeError(400, "A child has the rules of the session above it. Deny a whole tool, or deny it there.")
  if (model !== undefined) throw new OpencodeError(400, "A child gets its model with its prompt. Leave it out here.")
  await requireWithin(call, parentID)
  const named = { title: title ?? "Work for another program", agent, tools }
  return session.createChild({ sessionID: parentID, ...named }, call.asker)
}

/**
 * The tools that a session does without, and what else it may not do. What a client allows does not count: only people
 * and their rules allow.
 * @throws DocketError invalid_input for a rule that cannot be kept as it is
 */
function refusalsOf(rules: z.output<typeof CreateBody>["permission"]): { switches: ToolSwitches; deny: DenyRule[] } {
  const kept = rules.filter(({ action }) => action !== "allow")
  const other = kept.find(({ pattern, action }) => action === "ask" || pattern === "")
  if (other !== undefined) {
    const { permission, pattern, action } = other
    const words = `Docket cannot keep the rule "${permission}": "${pattern}" → ${action} for one session.`
    throw new DocketError("invalid_input", `${words} Deny it, or write the rule into docket.json.`)
  }
  const whole = kept.filter(({ pattern }) => pattern === "*")
  return {
    switches: Object.fromEntries(whole.flatMap((rule) => toolsBehind(rule.permission).map((tool) => [tool, false]))),
    deny: kept.filter((rule) => !whole.includes(rule)).map(({ permission, pattern }) => ({ permission, pattern })),
  }
}

type DenyRule = Pick<PermissionRule, "permission" | "pattern">

/** Tools that ask by the permission. */
function toolsBehind(permission: string): string[] {
  if (permission === "edit") return ["edit", "write", "multiedit", "apply_patch", "patch"]
  return permission === "todowrite" ? ["todowrite", "todoupdate"] : [permission]
}
