import type { TreeState } from "@docket/client"

/** Since when tasks wait for a review (epoch ms), by session: from the end of their child session. */
export function heldSince({ tasks, sessions }: Pick<TreeState, "tasks" | "sessions">): Record<string, number> {
  const held = Object.values(tasks).filter(({ state }) => state === "awaiting_review")
  return Object.fromEntries(
    held.flatMap(({ sessionID }) => {
      const done = sessions[sessionID]?.ended?.at
      return done === undefined ? [] : [[sessionID, done]]
    }),
  )
}
