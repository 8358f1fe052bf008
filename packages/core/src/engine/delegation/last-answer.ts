import type { Task } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"

/** Messages read at a time. */
const pageSize = 20

/** The last text that the child wrote since the task started, or null. Earlier ones answer an earlier task. */
export async function lastAnswer(
  store: Pick<Store, "transcript">,
  { sessionID, time }: Pick<Task, "sessionID" | "time">,
): Promise<string | null> {
  const { started } = time
  if (started === null) return null
  let before: string | null | undefined
  while (before !== null) {
    const page = await store.transcript.page({ sessionID, before, limit: pageSize })
    for (const { info, parts } of page.items.toReversed()) {
      if (info.time.created < started) return null
      if (info.role !== "assistant" || info.summary) continue
      const texts = parts.flatMap((part) => (part.type === "text" && part.text.trim() !== "" ? [part.text] : []))
      const last = texts.at(-1)
      if (last !== undefined) return last
    }
    before = page.before
  }
  return null
}
