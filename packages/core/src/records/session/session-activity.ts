import { type AgentPhase, type AgentSpan, agentSpans, phasesOf } from "../../ground/message/agent-phases.ts"
import type { Message } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"

/** Messages read at a time. */
const pageSize = 500
/** Limits; the newest are kept. */
const most = { messages: 10_000, waits: 500, stretches: 2_000 }

/** When a session worked and waited. */
export interface SessionActivity {
  /** Sorted by start. */
  stretches: AgentPhase[]
  /** The newest message, which is not part of the stretches; null without messages. */
  before: string | null
}

/** Reads when a session worked and when it waited for a person. */
export async function readActivity(
  { transcript, permission }: Pick<Store, "transcript" | "permission">,
  sessionID: string,
): Promise<SessionActivity> {
  const spans: AgentSpan[] = []
  let newest: string | null = null
  /** When the message after those of the page was created. */
  let nextCreated: number | null = null
  let left = most.messages
  for (let before: string | null | undefined; before !== null && left > 0; ) {
    const limit = Math.min(pageSize, left)
    const page = await transcript.page({ sessionID, limit, ...(before !== undefined && { before }) })
    const last: Message | undefined = newest === null ? page.items.at(-1)?.info : undefined
    newest ??= last?.id ?? null
    nextCreated ??= last?.time.created ?? null
    spans.push(...agentSpans(last === undefined ? page.items : page.items.slice(0, -1), nextCreated))
    nextCreated = page.items[0]?.info.time.created ?? nextCreated
    left -= page.items.length
    before = page.before
  }
  const answered = await permission.answered(sessionID, most.waits)
  const waits = answered.map(({ time }) => ({ kind: "wait", from: time.created, until: time.replied }) as const)
  const phases = [...phasesOf(spans), ...waits].toSorted((a, b) => a.from - b.from)
  return { stretches: phases.slice(-most.stretches), before: newest }
}
