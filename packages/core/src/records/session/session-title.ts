import type { Session } from "../../ground/schema/session.ts"

/** The title of a session until it is named. `created` is epoch ms. */
export function newSessionTitle(created: number): string {
  return `New session - ${new Date(created).toISOString()}`
}

/** The title of a child: its task and its agent. */
export function childTitle(description: string, agent: string): string {
  return `${description}${agentSuffix(agent)}`
}

export function isUntitled({ title, time }: Pick<Session, "title" | "time">): boolean {
  return title === newSessionTitle(time.created)
}

/** The title for places that also show when the session was created and which agent works. */
export function shortTitle(session: Pick<Session, "title" | "time" | "agent" | "parentID">): string {
  if (isUntitled(session)) return "New session"
  const suffix = agentSuffix(session.agent)
  const { title } = session
  const short = session.parentID !== null && title.endsWith(suffix) ? title.slice(0, -suffix.length) : title
  // A list line cannot show code, so backticks are removed.
  return short.replaceAll("`", "") || "Untitled"
}

function agentSuffix(agent: string): string {
  return ` (@${agent} subagent)`
}
