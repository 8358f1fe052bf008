import type { MessageWithParts, Session } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"

/** Characters of the user's request that are quoted to a child. */
const requestLength = 200

export interface Envelope {
  originalRequest: string
  delegatedBy: string
  depth: number
  maxDepth: number
  /** Lines of memory entries, or null. */
  memory: string | null
  /** The open todos in the form of `/todo list`, or null. */
  openTodos: string | null
}

/** The delegation context at the start of a child's prompt: the original request, memory and open todos. */
export function envelopeText(envelope: Envelope): string {
  const request = envelope.originalRequest.replace(/\s+/g, " ").trim()
  const lines = [
    "[DELEGATION CONTEXT]",
    `Original request: ${request.length > requestLength ? `${request.slice(0, requestLength)}…` : request}`,
    `Delegated by: ${envelope.delegatedBy}`,
    `Pipeline depth: ${envelope.depth}/${envelope.maxDepth}`,
  ]
  if (envelope.memory !== null) {
    lines.push("Pipeline memory (entries written by prior agents this conversation):", envelope.memory)
  }
  if (envelope.openTodos !== null) {
    lines.push("Open todos (mark progress as you go — /todo start <id>, /todo done <id>):", envelope.openTodos)
  }
  return [...lines, "[END DELEGATION CONTEXT]"].join("\n")
}

/** Reads an optional field of the envelope. An error or an empty text gives null. */
export async function textOrNull(read: () => Promise<string | null>): Promise<string | null> {
  try {
    return (await read()) || null
  } catch {
    return null
  }
}

/** Messages per page of the search for an earlier prompt. */
const pageSize = 20

interface OriginalRequestDeps {
  store: Pick<Store, "transcript" | "task">
  sessionByID(id: string): Promise<Session>
}

/**
 * The user's request that a session works on now. Through all sessions above it leads to the last prompt to the root
 * before the call that delegated; prompts after that call do not count.
 * @param messageID the message that delegates; null when a person delegates, then the newest prompt counts
 */
export async function originalRequest(
  deps: OriginalRequestDeps,
  session: Session,
  messageID: string | null,
): Promise<string> {
  if (session.parentID === null) return (await promptBefore(deps, session.id, messageID)) ?? session.title
  const task = await deps.store.task.byChild(session.id)
  return originalRequest(deps, await deps.sessionByID(session.parentID), task?.messageID ?? null)
}

async function promptBefore(
  { store }: OriginalRequestDeps,
  sessionID: string,
  messageID: string | null,
): Promise<string | null> {
  let before = messageID
  do {
    const page = await store.transcript.page({ sessionID, limit: pageSize, ...(before !== null && { before }) })
    const prompt = page.items
      .toReversed()
      .map(spokenText)
      .find((text) => text !== "")
    if (prompt !== undefined) return prompt
    before = page.before
  } while (before !== null)
  return null
}

/** The text that a person typed in a message or handed to subagents, without what Docket wrote. */
function spokenText({ info, parts }: MessageWithParts): string {
  if (info.role !== "user") return ""
  const typed = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
  // The expansion of a command is in its task's prompt; the person typed only the command's name.
  const handed = parts.flatMap((part) => (part.type === "subtask" && part.command === undefined ? [part.prompt] : []))
  return [...typed, ...handed].join("\n").trim()
}
