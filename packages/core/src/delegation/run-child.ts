import { DocketError } from "../error.ts"
import type { GlobalBus } from "../event/global-bus.ts"
import type { Journal } from "../event/journal.ts"
import type { CreateId } from "../id/create-id.ts"
import { noTokens } from "../message/token-usage.ts"
import type { TurnContext } from "../prompt/turn-context.ts"
import type { Agent, PermissionRuleset, PromptInput, Session, Turn } from "../schema/index.ts"
import type { Store } from "../store/index.ts"
import type { ToolContext } from "../tool/tool.ts"
import { mirrorProgress } from "./mirror-progress.ts"
import type { ChildRequest, RunChild } from "./task-tool.ts"

/** Levels of children below a root when the config does not say otherwise. */
const defaultDepth = 2

/** Tools that a child has only when its agent's own rules name them. */
const parentTools = ["todowrite", "todoread", "task"]

export interface RunChildDeps {
  store: Store
  journal: Journal
  bus: GlobalBus
  createID: CreateId
  clock: () => number
  submit(session: Session, input: PromptInput): Promise<Turn>
  wait(turnID: string): Promise<Turn>
  /** Stops the child and everything under it. */
  stop(sessionID: string): Promise<void>
}

/** Creates or resumes a child session of `turn`'s session, runs one prompt in it and mirrors its progress. */
export function createRunChild(deps: RunChildDeps, turn: TurnContext): RunChild {
  return async (request, context) => {
    const child = await findOrCreate(deps, turn, request, context)
    const model = request.agent.model ?? turn.model
    const mirror = mirrorProgress(
      deps,
      { child, agent: request.agent.name, model, description: request.description },
      context,
    )
    const stop = () => void deps.stop(child.id).catch(() => {})
    context.signal.addEventListener("abort", stop, { once: true })
    try {
      context.signal.throwIfAborted()
      const input: PromptInput = { parts: [{ type: "text", text: request.prompt }], agent: request.agent.name, model }
      const started = await deps.submit(child, input)
      // A stop that came while the prompt was stored found nothing to stop.
      if (context.signal.aborted) stop()
      const ended = await deps.wait(started.id)
      mirror.end(ended.status)
      if (ended.status !== "completed") throw new Error(failureText(child.id, ended))
      return { sessionID: child.id, text: await lastText(deps, child.id) }
    } catch (error) {
      mirror.end(context.signal.aborted ? "aborted" : "failed")
      throw error
    } finally {
      context.signal.removeEventListener("abort", stop)
    }
  }
}

async function findOrCreate(
  deps: RunChildDeps,
  turn: TurnContext,
  request: ChildRequest,
  context: ToolContext,
): Promise<Session> {
  const parent = turn.session
  if (request.taskID !== undefined) return resumable(deps, parent, request.taskID)
  const known = await deps.store.session.childByOrigin(parent.id, context.callID)
  // Some providers use an id again in a later answer.
  if (known?.origin?.messageID === context.messageID) return known
  const limit = turn.config.delegation?.depth ?? defaultDepth
  if (parent.depth >= limit) {
    throw new DocketError(
      "depth_limit",
      `Subagents may be nested ${limit} deep and this session is at depth ${parent.depth}. Do the work yourself.`,
    )
  }
  context.signal.throwIfAborted()
  const child = newChild(deps, turn, request, context)
  await deps.journal.commit(parent.rootID, [{ kind: "session", value: child }])
  return child
}

async function resumable(deps: RunChildDeps, parent: Session, taskID: string): Promise<Session> {
  const found = await deps.store.session.get(taskID)
  if (found !== null && found.parentID === parent.id) return found
  const children = await deps.store.session.children(parent.id)
  const list = children.map((child) => `${child.id} (${child.title})`).join(", ")
  throw new Error(
    `There is no task ${taskID} of this session. ${list === "" ? "It has no tasks yet; leave task_id out to start one." : `Its tasks: ${list}.`}`,
  )
}

function newChild(deps: RunChildDeps, turn: TurnContext, request: ChildRequest, context: ToolContext): Session {
  const parent = turn.session
  const now = deps.clock()
  return {
    id: deps.createID("session"),
    projectID: parent.projectID,
    parentID: parent.id,
    rootID: parent.rootID,
    depth: parent.depth + 1,
    directory: parent.directory,
    title: `${request.description} (@${request.agent.name} subagent)`,
    agent: request.agent.name,
    model: request.agent.model ?? turn.model,
    permission: childRules(request.agent),
    status: { type: "idle" },
    cost: 0,
    tokens: noTokens,
    origin: { messageID: context.messageID, callID: context.callID },
    abortedAt: null,
    time: { created: now, updated: now, archived: null },
  }
}

/** What a child session adds to its agent's rules. What its ancestors lack is checked at each call. */
export function childRules(agent: Agent): PermissionRuleset {
  return parentTools
    .filter((tool) => !agent.permission.some((rule) => rule.permission === tool))
    .map((permission) => ({ permission, pattern: "*", action: "deny" }))
}

function failureText(sessionID: string, turn: Turn): string {
  const reason = turn.error?.message ?? turn.status
  return `The subagent ${turn.status === "failed" ? "failed" : "was stopped"}: ${reason}\n\n<task_metadata>\nsession_id: ${sessionID}\n</task_metadata>`
}

async function lastText(deps: RunChildDeps, sessionID: string): Promise<string> {
  const page = await deps.store.transcript.page({ sessionID, limit: 5 })
  const last = page.items.findLast(({ info }) => info.role === "assistant" && !info.summary)
  const text = last?.parts
    .flatMap((part) => (part.type === "text" && part.text.trim() !== "" ? [part.text] : []))
    .at(-1)
  return text ?? "(The subagent ended without a text answer. Its session holds what it did.)"
}
