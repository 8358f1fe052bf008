import type { Session, SessionRevert, SessionStatus, Todo } from "@docket/core/schema"
import type { Todo as OlderTodo } from "@opencode-ai/sdk"
import type * as Sdk from "@opencode-ai/sdk/v2/types"

function revertShape({ messageID, partID }: SessionRevert) {
  return { messageID, ...(partID !== undefined && { partID }) }
}

/** A session as OpenCode's clients read it. */
export function sessionShape(session: Session, version: string) {
  const { id, projectID, directory, title, agent, model, parentID, variant, cost, tokens, time, revert } = session
  return {
    ...{ id, slug: id, projectID, directory, title, agent, version, cost, tokens },
    ...(parentID !== null && { parentID }),
    ...(model && { model: { id: model.modelID, providerID: model.providerID, ...(variant && { variant }) } }),
    permission: session.permission.map(({ permission, pattern, action }) => ({ permission, pattern, action })),
    ...(revert && { revert: revertShape(revert) }),
    time: {
      created: time.created,
      updated: time.updated,
      ...(time.archived !== null && { archived: time.archived }),
    },
  } satisfies Sdk.Session
}

export function statusShape(status: SessionStatus) {
  // The work of a session whose end is being stored is not over for its readers.
  return (status.type === "storing" ? { type: "busy" } : status) satisfies Sdk.SessionStatus
}

/** A todo with its id, which only the older SDK knows. */
export function todoShape({ id, content, status, priority }: Todo) {
  return { id, content, status, priority } satisfies OlderTodo
}
