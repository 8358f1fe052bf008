import type { Part } from "../../ground/schema/index.ts"
import { todoTools } from "../../ground/schema/tool-metadata.ts"
import type { Store } from "../../ground/store/index.ts"

/** Messages around the first change that are looked at: a stretch that reaches beyond them has more than marks in it. */
const nearMessages = 6

/**
 * Whether anything was done in a session between two tool calls that changed an item: a call that is not about todos.
 * Null where a change was made by no call, or its call is gone.
 */
export async function workedBetween(
  store: Pick<Store["transcript"], "page">,
  sessionID: string,
  { fromPartID, toPartID }: { fromPartID: string | null; toPartID: string | null },
): Promise<boolean | null> {
  if (fromPartID === null || toPartID === null) return null
  const { items } = await store.page({ sessionID, around: fromPartID, limit: nearMessages })
  const parts = items.flatMap((message) => message.parts)
  const from = parts.findIndex(({ id }) => id === fromPartID)
  const to = parts.findIndex(({ id }) => id === toPartID)
  if (from < 0) return null
  return to < 0 || parts.slice(from + 1, to).some(isWork)
}

function isWork(part: Part): boolean {
  return part.type === "tool" && !todoTools.includes(part.tool)
}
