import { DocketError } from "../../ground/error/docket-error.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { noTokens } from "../../ground/message/token-usage.ts"
import type { Agent, ModelRef, PermissionRuleset, Session } from "../../ground/schema/index.ts"
import { todoTools } from "../../ground/schema/tool-metadata.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { childTitle } from "../../records/session/session-title.ts"
import type { Config } from "../../setup/config/schema.ts"
import { toolsPermission } from "../../setup/config/tools-permission.ts"
import type { TurnContext } from "../loop/turn-context.ts"

/** Levels of children below a root when the config does not say otherwise. */
const defaultDepth = 2

/** Tools that a child has only when its agent's own rules name them. */
const parentTools = [
  ...todoTools,
  "task",
  "async_task",
  "async_task_result",
  "async_task_gather",
  "async_task_cancel",
  "task_message",
]

export interface ChildDeps {
  store: Store
  journal: Journal
  createID: CreateId
  clock: () => number
}

export interface ChildRequest {
  agent: Agent
  description: string
  model: ModelRef
  /** Resumes this child of the same parent. */
  taskID: string | undefined
  /** The call that asks for it: a parent that runs again after a crash finds its child by it. */
  origin: Session["origin"]
  /** A worktree of its own, or the parent's directory. */
  directory: string
  /** Async children cannot ask: nobody may be there. */
  mayAsk: boolean
}

/**
 * The child session that a task runs in: a new one (with the mutation that stores it), or one to resume.
 * @throws DocketError depth_limit; Error when `taskID` names no child of this session
 */
export async function childSession(
  deps: ChildDeps,
  turn: Pick<TurnContext, "session" | "config">,
  request: ChildRequest,
): Promise<{ child: Session; mutations: Mutation[] }> {
  const parent = turn.session
  if (request.taskID !== undefined) {
    const child = await resumable(deps, parent, request.taskID)
    // Another agent may go on with it: the child has the rights of the one that works now.
    const permission = childRules(request.agent, { mayAsk: request.mayAsk, config: turn.config })
    const mutations: Mutation[] = [{ kind: "session.patch", sessionID: child.id, patch: { permission } }]
    return { child: { ...child, permission }, mutations }
  }
  const known = request.origin && (await deps.store.session.childByOrigin(parent.id, request.origin.callID))
  // Some providers use a call id again in a later answer.
  if (known && known.origin?.messageID === request.origin?.messageID) return { child: known, mutations: [] }
  const limit = turn.config.delegation?.depth ?? defaultDepth
  if (parent.depth >= limit) {
    throw new DocketError(
      "depth_limit",
      `Subagents may be nested ${limit} deep and this session is at depth ${parent.depth}. Do the work yourself.`,
    )
  }
  const child = newChild(deps, turn, request)
  return { child, mutations: [{ kind: "session", value: child }] }
}

async function resumable(deps: ChildDeps, parent: Session, taskID: string): Promise<Session> {
  const found = await deps.store.session.get(taskID)
  if (found !== null && found.parentID === parent.id) return found
  const children = await deps.store.session.children(parent.id)
  const list = children.map((child) => `${child.id} (${child.title})`).join(", ")
  throw new Error(
    `There is no task ${taskID} of this session. ${list === "" ? "It has no tasks yet; leave task_id out to start one." : `Its tasks: ${list}.`}`,
  )
}

function newChild(
  deps: ChildDeps,
  { session: parent, config }: Pick<TurnContext, "session" | "config">,
  request: ChildRequest,
): Session {
  const now = deps.clock()
  return {
    id: deps.createID("session"),
    projectID: parent.projectID,
    parentID: parent.id,
    rootID: parent.rootID,
    depth: parent.depth + 1,
    directory: request.directory,
    title: childTitle(request.description, request.agent.name),
    agent: request.agent.name,
    model: request.model,
    permission: childRules(request.agent, { mayAsk: request.mayAsk, config }),
    status: { type: "idle" },
    cost: 0,
    tokens: noTokens,
    origin: request.origin,
    abortedAt: null,
    time: { created: now, updated: now, archived: null },
  }
}

/** What a child session adds to its agent's rules. What its ancestors lack is checked at each call. */
export function childRules(
  agent: Agent,
  { mayAsk, config }: { mayAsk: boolean; config: Pick<Config, "primary_tools"> },
): PermissionRuleset {
  const denied = parentTools.filter((tool) => !agent.permission.some((rule) => rule.permission === tool))
  const ofLeads = toolsPermission(Object.fromEntries((config.primary_tools ?? []).map((tool) => [tool, false])))
  return [...denied, ...Object.keys(ofLeads), ...(mayAsk ? [] : ["question"])].map((permission) => ({
    permission,
    pattern: "*",
    action: "deny",
  }))
}
