import type { MessageWithParts, Session } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"

/** Messages that are read at once on the way back. */
const pageSize = 20

export interface OriginalRequestDeps {
  store: Pick<Store, "transcript" | "task">
  sessionByID(id: string): Promise<Session>
}

/**
 * What the user asked of the root for which a session works now: the prompt before the call that delegates, through
 * all sessions above. A later prompt to the root is another matter than the tasks that still run for this one.
 *
 * @param messageID the answer that delegates; null when a person does, for whom the newest prompt counts
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

/** What a person said in a message, or handed to subagents; nothing of what Docket wrote. */
function spokenText({ info, parts }: MessageWithParts): string {
  if (info.role !== "user") return ""
  const typed = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
  // What a command came to is in the brief of its task; the person typed its name.
  const handed = parts.flatMap((part) => (part.type === "subtask" && part.command === undefined ? [part.prompt] : []))
  return [...typed, ...handed].join("\n").trim()
}
