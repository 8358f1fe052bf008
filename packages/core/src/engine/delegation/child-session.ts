import { DocketError } from "../../ground/error/docket-error.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { noTokens } from "../../ground/message/usage.ts"
import type { Agent, ModelRef, PermissionRuleset, Session } from "../../ground/schema/index.ts"
import { todoTools } from "../../ground/schema/tool-metadata.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { childTitle } from "../../records/session/session-title.ts"
import type { Config } from "../../setup/config/schema.ts"
import { toolsPermission } from "../../setup/config/tool-names.ts"
import { switchesOf } from "../loop/switches-of.ts"
import type { Delegator } from "./delegator.ts"

/** Levels of children below a root where the configuration sets no limit. */
const defaultDepth = 2

/** How many levels of children may lie below a root. */
export function depthOf({ delegation }: Config): number {
  return delegation?.depth ?? defaultDepth
}

/** Levels of children below a root where programs start subagents by themselves. */
const guestDepth = 10

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

interface ChildRequest {
  agent: Agent
  description: string
  model: ModelRef
  /** Resume this child of the same parent. */
  taskID: string | undefined
  /** It was made for work that it has not got yet: it becomes the child of this agent. */
  isUnused: boolean
  /** The tool call that requests the child. A parent that runs again after a crash finds its child by it. */
  origin: Session["origin"]
  /** Where the child works: a worktree of its own or the parent's directory. */
  directory: string
  /** Whether the child may ask the user questions. Background tasks may not, since nobody may be there to answer. */
  mayAsk: boolean
  /** It is the subagent of a program, which nests them by itself. */
  isGuest?: boolean
}

/** What makes the child: the session that delegates. */
type ChildMaker = Pick<Delegator, "session" | "config" | "turn">

/**
 * The child session that a task runs in: a new one (with the mutation that stores it), or one to resume.
 * @throws DocketError depth_limit; task_not_found when `taskID` names no child of this session
 */
export async function childSession(
  deps: ChildDeps,
  turn: ChildMaker,
  request: ChildRequest,
): Promise<{ child: Session; mutations: Mutation[] }> {
  const parent = turn.session
  if (request.taskID !== undefined) {
    const child = await resumable(deps, parent, request.taskID)
    // Another agent may resume the child: the child gets the permissions of the agent that works now.
    const permission = childRules(request.agent, { mayAsk: request.mayAsk, config: turn.config })
    if (request.isUnused) {
      const tools = [...(child.tools ?? []), ...switchesOf({ ...turn, session: {} })]
      const { agent, model } = request
      const value: Session = { ...child, agent: agent.name, model, permission, ...(tools.length > 0 && { tools }) }
      return { child: value, mutations: [{ kind: "session", value }] }
    }
    const patch = { permission, tools: switchesOf(turn) }
    const mutations: Mutation[] = [{ kind: "session.patch", sessionID: child.id, patch }]
    return { child: { ...child, ...patch }, mutations }
  }
  const known = request.origin && (await deps.store.session.childByOrigin(parent.id, request.origin.callID))
  // Some providers reuse a call id in a later answer, so the message must match too.
  if (known && known.origin?.messageID === request.origin?.messageID) return { child: known, mutations: [] }
  const limit = request.isGuest === true ? guestDepth : depthOf(turn.config)
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
  throw new DocketError(
    "task_not_found",
    `There is no task ${taskID} of this session. ${list === "" ? "It has no tasks yet; leave task_id out to start one." : `Its tasks: ${list}.`}`,
  )
}

function newChild(deps: ChildDeps, turn: ChildMaker, request: ChildRequest): Session {
  const { session: parent, config } = turn
  const now = deps.clock()
  const tools = switchesOf(turn)
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
    ...(tools.length > 0 && { tools }),
    status: { type: "idle" },
    cost: 0,
    tokens: noTokens,
    origin: request.origin,
    abortedAt: null,
    time: { created: now, updated: now, archived: null },
  }
}

/** The rules that a child session adds to those of its agent. The rules of its ancestors are checked at each call. */
export function childRules(
  agent: Agent,
  { mayAsk, config }: { mayAsk: boolean; config: Pick<Config, "primary_tools"> },
): PermissionRuleset {
  const denied = parentTools.filter((tool) => !agent.permission.some((rule) => rule.permission === tool))
  const primaryOnly = toolsPermission(Object.fromEntries((config.primary_tools ?? []).map((tool) => [tool, false])))
  return [...denied, ...Object.keys(primaryOnly), ...(mayAsk ? [] : ["question"])].map((permission) => ({
    permission,
    pattern: "*",
    action: "deny",
  }))
}
