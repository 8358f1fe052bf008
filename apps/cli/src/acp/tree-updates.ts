import type { SessionUpdate } from "@agentclientprotocol/sdk/unstable"
import type { FeedItem, MessageWithParts, Part, PermissionRequest, Session, TreeState } from "@docket/client"
import { isWithin } from "@docket/core/is-within"
import type { Choices } from "./config-options.ts"
import type { EditorCapabilities } from "./editor-capabilities.ts"
import type { Frame } from "./frame.ts"
import { nestedCall } from "./nested-call.ts"
import { planOf } from "./plan.ts"
import { createSessionFacts } from "./session-facts.ts"
import { createSubagentUpdates } from "./subagent-updates.ts"
import { createTranscriptUpdates, type TranscriptUpdates } from "./transcript-updates.ts"

/** Where a session of the tree shows in the editor. */
export interface Shown {
  /** The session of the editor. */
  sessionId: string
  /** The agent that works below that session, in an editor without child sessions. */
  below: string | null
}

export interface TreeUpdatesDeps {
  /** The session that the editor has opened. */
  opened: Session
  /** The git top level of its project. */
  worktree: string
  choices: Choices
  capabilities: EditorCapabilities
  tree(): TreeState
  /** Whether the editor sent the prompt, and so shows it by itself. */
  isOfEditor(messageID: string): boolean
}

/** Turns what happens in a tree into updates for an editor that has opened one of its sessions. */
export interface TreeUpdates {
  /** For an item that the tree has already. */
  item(item: FeedItem): Frame[]
  /** For messages that were read by pages. */
  messages(sessionID: string, messages: readonly MessageWithParts[]): Frame[]
  /** What stands beside the transcripts: children, plans, how full the context is. */
  standing(): Frame[]
  /** Where a session shows; null when it is not below the one that the editor has opened. */
  shown(sessionID: string): Shown | null
  /** The call of a part runs in a terminal of the editor. */
  terminal(sessionID: string, partID: string, terminalId: string): Frame[]
  /** The directory that relative paths in a session start from. */
  rootOf(sessionID: string): string
  /** The editor's id of the call that a request is about; null when the call is not known. */
  toolCallId(request: Pick<PermissionRequest, "messageID" | "callID">): string | null
}

export function createTreeUpdates(deps: TreeUpdatesDeps): TreeUpdates {
  const { opened, worktree, choices, isOfEditor } = deps
  const { hasSubagents, drawsTerminals } = deps.capabilities
  const transcripts = new Map<string, TranscriptUpdates>()
  const subagents = createSubagentUpdates()
  const facts = createSessionFacts(opened, choices)
  /** By message and call, the id of its part. */
  const callParts = new Map<string, string>()
  /** Items of sessions that are not known yet: after a lost connection, rows come in the order of their last change. */
  let early: FeedItem[] = []

  /** The sessions from just below the opened one down to this one; empty for the opened one, null for one elsewhere. */
  function chainTo(sessionID: string): Session[] | null {
    const chain: Session[] = []
    for (let at = sessionID; at !== opened.id; ) {
      const session = deps.tree().sessions[at]
      if (session === undefined || session.parentID === null) return null
      chain.unshift(session)
      at = session.parentID
    }
    return chain
  }

  function rootOf(sessionID: string): string {
    const directory = deps.tree().sessions[sessionID]?.directory ?? worktree
    return isWithin(worktree, directory) ? worktree : directory
  }

  function transcriptOf(sessionID: string): TranscriptUpdates {
    const known = transcripts.get(sessionID)
    if (known !== undefined) return known
    const made = createTranscriptUpdates({ root: rootOf(sessionID), drawsTerminals })
    transcripts.set(sessionID, made)
    return made
  }

  function own(updates: readonly SessionUpdate[]): Frame[] {
    return updates.map((update) => ({ sessionId: opened.id, update }))
  }

  function frames(sessionID: string, updates: readonly SessionUpdate[]): Frame[] {
    const chain = chainTo(sessionID)
    const child = chain?.at(-1)
    if (chain === null || updates.length === 0) return []
    if (child === undefined) return own(updates)
    if (!hasSubagents) return own(updates.flatMap((update) => nestedCall(update, child) ?? []))
    return [...subagents.announce(chain, deps.tree()), ...updates.map((update) => ({ sessionId: sessionID, update }))]
  }

  function children(): Frame[] {
    if (!hasSubagents) return []
    const below = Object.values(deps.tree().sessions).filter(({ id }) => id !== opened.id && chainTo(id) !== null)
    const inOrder = below.sort((a, b) => a.depth - b.depth || a.time.created - b.time.created)
    return inOrder.flatMap((child) => subagents.tell(child, deps.tree()))
  }

  function plan(sessionID: string): Frame[] {
    const isShown = sessionID === opened.id || hasSubagents
    return isShown ? frames(sessionID, [{ sessionUpdate: "plan", ...planOf(deps.tree().todos[sessionID] ?? []) }]) : []
  }

  function prompts(sessionID: string, only?: string): Frame[] {
    return frames(sessionID, transcriptOf(sessionID).prompts(isOfEditor, only))
  }

  function toolCallId({ messageID, callID }: Pick<PermissionRequest, "messageID" | "callID">): string | null {
    return callParts.get(`${messageID} ${callID}`) ?? null
  }

  function part(part: Part): Frame[] {
    if (part.type === "tool") callParts.set(`${part.messageID} ${part.callID}`, part.id)
    if (part.type === "step-finish" && part.sessionID === opened.id) facts.step(part)
    return frames(part.sessionID, transcriptOf(part.sessionID).part(part))
  }

  /** What came before its session. */
  function held(): Frame[] {
    const items = early
    early = []
    return items.flatMap(tell)
  }

  function tell(item: FeedItem): Frame[] {
    const sessionID = sessionOf(item)
    if (sessionID !== null && deps.tree().sessions[sessionID] === undefined) {
      early.push(item)
      return []
    }
    switch (item.type) {
      case "session.created":
        return [...children(), ...held()]
      case "session.status":
      case "task.updated":
      case "permission.asked":
        return children()
      case "permission.replied": {
        const { request } = item.properties
        const again = transcriptOf(request.sessionID).callAgain(toolCallId(request) ?? "")
        return [...children(), ...frames(request.sessionID, again)]
      }
      case "session.updated": {
        const { info } = item.properties
        const settings = info.id === opened.id ? facts.settings(info) : []
        return [...own([...settings, ...facts.usage(deps.tree())]), ...children(), ...held()]
      }
      case "turn.updated": {
        const { sessionID, messageID } = item.properties.turn
        return [...children(), ...(messageID === null ? [] : prompts(sessionID, messageID))]
      }
      case "message.updated": {
        const { info } = item.properties
        // Some prompts have no turn of their own. That of any other is known when its answer begins.
        const before = info.role === "assistant" ? prompts(info.sessionID) : []
        return [...before, ...frames(info.sessionID, transcriptOf(info.sessionID).message(info))]
      }
      case "message.part.updated":
        return [...part(item.properties.part), ...own(facts.usage(deps.tree()))]
      case "message.part.delta": {
        const { sessionID } = item.properties
        return frames(sessionID, transcriptOf(sessionID).delta(item.properties))
      }
      case "todo.updated":
        return plan(item.properties.sessionID)
      default:
        return []
    }
  }

  return {
    item: tell,
    messages: (sessionID, messages) =>
      messages.flatMap(({ info, parts }) => [
        ...frames(sessionID, transcriptOf(sessionID).message(info)),
        ...parts.flatMap(part),
        ...prompts(sessionID),
      ]),
    standing: () => [
      ...children(),
      ...Object.entries(deps.tree().todos).flatMap(([id, todos]) => (todos.length > 0 ? plan(id) : [])),
      ...own(facts.usage(deps.tree())),
    ],
    shown(sessionID) {
      const chain = chainTo(sessionID)
      if (chain === null) return null
      const child = chain.at(-1)
      if (child === undefined || hasSubagents) return { sessionId: sessionID, below: null }
      return { sessionId: opened.id, below: child.agent }
    },
    terminal: (sessionID, partID, terminalId) =>
      frames(sessionID, transcriptOf(sessionID).inTerminal(partID, terminalId)),
    rootOf,
    toolCallId,
  }
}

/** The session in whose transcript an item is told; null for all other items. */
function sessionOf(item: FeedItem): string | null {
  switch (item.type) {
    case "message.updated":
      return item.properties.info.sessionID
    case "message.part.updated":
      return item.properties.part.sessionID
    case "message.part.delta":
      return item.properties.sessionID
    default:
      return null
  }
}
