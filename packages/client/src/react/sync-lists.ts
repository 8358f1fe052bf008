import type { AppRouter } from "@docket/api"
import type { FeedItem, SessionListItem } from "@docket/core/schema"
import type { QueryClient } from "@tanstack/react-query"
import type { TRPCOptionsProxy } from "@trpc/tanstack-react-query"
import { browserWindow } from "../browser-window.ts"
import type { LiveTrees } from "../live-trees.ts"
import { type RepeatPauses, repeatUnanswered, usualRepeatPauses } from "./repeat-unanswered.ts"
import { createSessionLists } from "./session-lists.ts"

/** Lists are fetched again at most this often while agents work. */
const pauseMs = 300

export interface SyncDeps {
  live: Pick<LiveTrees, "onItem">
  trpc: TRPCOptionsProxy<AppRouter>
  queries: QueryClient
  repeatPauses?: RepeatPauses
}

/**
 * Brings lists of sessions up to date by the rows that the service tells, and has other lists fetched again when
 * something in them changed or may have changed unheard. Whatever is shown and got no answer is asked for again.
 * Returns a function that ends it.
 */
export function syncLists({ live, trpc, queries, repeatPauses = usualRepeatPauses }: SyncDeps): () => void {
  const listsOf: Record<ListArea, { pathFilter(): object }[]> = {
    session: [trpc.session.list, trpc.session.search, trpc.session.get],
    permission: [trpc.permission.list],
    project: [trpc.project],
    todo: [trpc.todo],
    share: [trpc.share],
    memory: [trpc.memory],
    schedule: [trpc.schedule],
    config: [trpc.config],
    setting: [trpc.agent, trpc.provider],
    review: [trpc.review],
  }
  const sessionLists = createSessionLists(queries, trpc.session.list.pathFilter())
  const turnOf = new Map<string, string>()
  /** Whether a turn of the root began or ended since its row was told last. */
  const isOtherTurn = ({ session, running }: SessionListItem) => {
    const turn = `${running > 0}:${session.ended?.at}`
    const before = turnOf.get(session.id)
    turnOf.set(session.id, turn)
    return before !== turn
  }
  const repeats = repeatUnanswered(queries, repeatPauses, browserWindow)
  const stale = new Set<ListArea>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = () => {
    timer = undefined
    for (const area of stale) for (const list of listsOf[area]) void queries.invalidateQueries(list.pathFilter())
    stale.clear()
  }
  const stop = live.onItem((item) => {
    if (item === null) repeats.now()
    for (const area of staleAreas(item)) stale.add(area)
    if (item?.type === "session.deleted") sessionLists.remove(item.properties.sessionID)
    if (item?.type === "session.listed") {
      sessionLists.put(item.properties.item)
      // A turn reads the configuration again, and may have changed it.
      if (isOtherTurn(item.properties.item)) stale.add("config")
    }
    if (stale.size > 0) timer ??= setTimeout(refresh, pauseMs)
  })
  return () => {
    stop()
    sessionLists.stop()
    repeats.stop()
    clearTimeout(timer)
  }
}

const areas = [
  "session",
  "permission",
  "project",
  "todo",
  "share",
  "memory",
  "schedule",
  "config",
  "setting",
  "review",
] as const
type ListArea = (typeof areas)[number]

/** The areas that an item makes stale. After missed items (`null`, `resync`) all are; rows of sessions are told whole. */
function staleAreas(item: FeedItem | null): readonly ListArea[] {
  if (item === null || item.type === "resync") return areas
  if (item.type === "config.updated") return ["config", "setting"]
  return areas.filter((area) => area !== "session" && item.type.startsWith(`${area}.`))
}
