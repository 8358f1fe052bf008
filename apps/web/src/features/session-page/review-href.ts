import { newestTasks } from "@docket/core/work-status"
import type { SessionView } from "./use-session-view.ts"

/** The review desk for the page: at the task of a child session, else at its beginning. */
export function reviewHref({ store, session }: Pick<SessionView, "store" | "session">): string {
  const task = newestTasks(Object.values(store.get().tree?.tasks ?? {})).get(session?.id ?? "")
  const desk = `/review/${session?.rootID ?? ""}`
  return task === undefined ? desk : `${desk}?task=${task.id}`
}
