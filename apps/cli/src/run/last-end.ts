import type { DocketClient } from "@docket/client"
import type { PromptPart, Turn } from "@docket/core/schema"
import type { TurnEnds } from "./turn-ends.ts"

type Named = Pick<Turn, "id" | "sessionID">

/**
 * The end of a turn. Where a running turn has read its prompt, the end of that one; after a switch to or from plan mode,
 * the end of the turn that follows in the same session.
 */
export async function lastEnd(client: DocketClient, ends: TurnEnds, { id, sessionID }: Named): Promise<Turn> {
  const turn = await ends.of(id)
  if (turn.status !== "completed") return turn
  if (turn.within !== undefined) return lastEnd(client, ends, { id: turn.within, sessionID })
  const { turns } = await client.session.tree.query({ sessionID })
  const isNext = (open: Turn) => open.sessionID === sessionID && open.id !== id && open.input.parts.some(isModeNotice)
  const next = turns.find(isNext)
  return next === undefined ? turn : lastEnd(client, ends, next)
}

function isModeNotice(part: PromptPart): boolean {
  return part.type === "text" && part.notice?.kind === "mode"
}
