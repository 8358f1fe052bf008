import type { Tasks } from "../engine/delegation/tasks.ts"
import { causeOf } from "../engine/turn/turn-queue.ts"
import type { Session, Turn } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/index.ts"

export interface WorkOfDeps {
  store: Pick<Store, "turn" | "session">
  tasks: Pick<Tasks, "workFor">
}

/** How many sessions work for these people; a session under another of them is not counted. */
export async function workOf({ store, tasks }: WorkOfDeps, people: ReadonlySet<string>): Promise<number> {
  const isRunning = (turn: Turn) => turn.status === "running" && people.has(causeOf(turn)?.person ?? "")
  const working = [...(await store.turn.open()).filter(isRunning), ...tasks.workFor(people)]
  const sessions = new Set(working.map(({ sessionID }) => sessionID))
  const parents = new Map<Session["id"], Session["parentID"]>()
  for (const rootID of new Set(working.map((each) => each.rootID)))
    for (const { id, parentID } of await store.session.tree(rootID)) parents.set(id, parentID)
  const isUnderAnother = (sessionID: string) => {
    for (let above = parents.get(sessionID) ?? null; above !== null; above = parents.get(above) ?? null)
      if (sessions.has(above)) return true
    return false
  }
  return [...sessions].filter((id) => !isUnderAnother(id)).length
}
