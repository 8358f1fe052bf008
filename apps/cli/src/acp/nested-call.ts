import type { SessionUpdate } from "@agentclientprotocol/sdk/unstable"
import { visibleText } from "@docket/core/rule"
import type { Session } from "@docket/core/schema"

/**
 * What a child session does, as calls in the session above it: for editors that know no child sessions. Null for all
 * else: what the child answers stands in the call that delegated to it.
 */
export function nestedCall(update: SessionUpdate, { id, agent }: Pick<Session, "id" | "agent">): SessionUpdate | null {
  if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") return null
  const _meta = { ...update._meta, docket: { sessionId: id, agent } }
  if (typeof update.title !== "string") return { ...update, _meta } as SessionUpdate
  return { ...update, title: `@${visibleText(agent)}: ${update.title}`, _meta } as SessionUpdate
}
