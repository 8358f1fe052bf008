import type { Mutation } from "../../ground/store/index.ts"
import type { ReviewsDeps } from "./reviews-deps.ts"

/** Stores what was said together with the notes of it; agents that work hear of these. */
export async function write(
  { journal, noted }: Pick<ReviewsDeps, "journal" | "noted">,
  rootID: string,
  mutations: Mutation[],
): Promise<void> {
  const changes = await journal.commit(rootID, mutations)
  const notes = new Set(
    mutations.flatMap((it) => (it.kind === "session.note" || it.kind === "session.notes.read" ? [it.sessionID] : [])),
  )
  const sessions = changes.flatMap((change) => (change.kind === "session" ? [change.value] : []))
  for (const id of notes) {
    const session = sessions.findLast((candidate) => candidate.id === id)
    if (session !== undefined) noted(session)
  }
}
