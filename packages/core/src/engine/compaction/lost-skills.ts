import type { MessageWithParts } from "../../ground/schema/index.ts"
import { readToolCall } from "../../ground/schema/read-tool-call.ts"
import type { TranscriptStore } from "../../ground/store/index.ts"
import type { TurnContext } from "../loop/turn-context.ts"

/** Messages that are read at once, and how many times, going back beyond earlier compactions. */
const pageSize = 200
const mostPages = 10
/** Skills that are named. */
const mostNamed = 20

/**
 * Says to the model which skills' texts a compaction takes away, those of earlier ones included; null for none that it
 * could load again.
 */
export async function lostSkills(
  { store }: { store: { transcript: Pick<TranscriptStore, "page"> } },
  turn: Pick<TurnContext, "session" | "skills">,
): Promise<string | null> {
  const names = new Set<string>()
  let before: string | undefined
  for (let page = 0; page < mostPages && turn.skills.length > 0; page++) {
    const { items, before: earlier } = await store.transcript.page({
      sessionID: turn.session.id,
      ...(before !== undefined && { before }),
      limit: pageSize,
    })
    for (const name of loadedIn(items)) names.add(name)
    if (earlier === null) break
    before = earlier
  }
  const known = turn.skills.filter(({ name }) => names.has(name)).map(({ name }) => name)
  if (known.length === 0) return null
  return `\nThese skills were loaded, and their texts are not part of this summary: ${known.slice(0, mostNamed).join(", ")}. Load a skill again with the skill tool before you go on with what it speaks of.`
}

function loadedIn(messages: readonly MessageWithParts[]): string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type !== "tool" || part.state.status !== "completed") return []
      const call = readToolCall(part)
      return call.tool === "skill" && call.metadata !== null ? [call.metadata.name] : []
    }),
  )
}
