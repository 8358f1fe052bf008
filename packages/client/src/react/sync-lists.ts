import type { AppRouter } from "@docket/api/router"
import { localPerson } from "@docket/core/local-person"
import type { EventsWith, FeedItem, SessionListItem } from "@docket/core/schema"
import type { QueryClient } from "@tanstack/react-query"
import type { TRPCOptionsProxy } from "@trpc/tanstack-react-query"
import { browserWindow } from "../browser-window.ts"
import type { LiveTrees } from "../live-trees.ts"
import { type RepeatPauses, repeatUnanswered, usualRepeatPauses } from "./repeat-unanswered.ts"
import { createReviewLists } from "./review-lists.ts"
import { createSessionLists } from "./session-lists.ts"

/** Lists are fetched again at most this often while agents work. */
const pauseMs = 300

export interface SyncDeps {
  live: Pick<LiveTrees, "onItem">
  trpc: TRPC
  queries: QueryClient
  /** The user who reads the lists. */
  person?: string | undefined
  repeatPauses?: RepeatPauses
  /** The browser's window; null outside of a browser. */
  page?: EventTarget | null
}

/**
 * Keeps lists up to date. Session and review lists change by the rows in events; other lists are fetched again when an
 * event makes them stale or events may be missing. Unanswered reads of visible data are repeated. The configuration is
 * fetched again when the window gets focus, because the user may have edited its files. Returns a function that stops
 * it.
 */
export function syncLists({
  live,
  trpc,
  queries,
  person = localPerson,
  repeatPauses = usualRepeatPauses,
  page = browserWindow,
}: SyncDeps): () => void {
  const listsOf = areaLists(trpc)
  // The cast is safe: the object is created here, so it has no other keys.
  const areas = Object.keys(listsOf) as ListArea[]
  const sessionLists = createSessionLists(queries, trpc.session.list.pathFilter())
  const reviewLists = createReviewLists(
    queries,
    { inbox: trpc.review.inbox.pathFilter(), awaiting: trpc.review.awaiting.pathFilter() },
    person,
  )
  const stale = new Set<ListArea>()
  /** Trees that were archived when their row last came. */
  const archived = new Set<string>()
  /** Updates the review lists from the row of a tree: archived, renamed, or restored, whose tasks are fetched again. */
  const putTree = ({ session, session: { id } }: SessionListItem) => {
    if (session.time.archived !== null) {
      archived.add(id)
      reviewLists.remove(id)
    } else if (archived.delete(id)) stale.add("inbox")
    else reviewLists.rename(session)
  }
  const turnOf = new Map<string, string>()
  /** Whether a turn of the root session began or ended since its last row. */
  const isOtherTurn = ({ session, running }: SessionListItem) => {
    const turn = `${running > 0}:${session.ended?.at}`
    const before = turnOf.get(session.id)
    turnOf.set(session.id, turn)
    return before !== turn
  }
  const repeats = repeatUnanswered(queries, repeatPauses, page)
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = () => {
    timer = undefined
    for (const area of stale) for (const list of listsOf[area]) void queries.invalidateQueries(list.pathFilter())
    stale.clear()
  }
  const refreshSoon = (areas: readonly ListArea[]) => {
    for (const area of areas) stale.add(area)
    if (stale.size > 0) timer ??= setTimeout(refresh, pauseMs)
  }
  const onFocus = () => refreshSoon(configured)
  page?.addEventListener("focus", onFocus)
  const stop = live.onItem((item) => {
    if (item === null) repeats.now()
    if (item?.type === "session.deleted") {
      sessionLists.remove(item.properties.sessionID)
      reviewLists.remove(item.properties.sessionID)
    }
    if (item?.type === "task.listed") reviewLists.put(item.properties)
    if (item?.type === "session.listed") {
      sessionLists.put(item.properties.item)
      putTree(item.properties.item)
      // A turn reads the configuration again and may have changed it.
      if (isOtherTurn(item.properties.item)) refreshSoon(["config"])
    }
    refreshSoon(staleAreas(areas, item))
  })
  return () => {
    stop()
    page?.removeEventListener("focus", onFocus)
    sessionLists.stop()
    reviewLists.stop()
    repeats.stop()
    clearTimeout(timer)
  }
}

type TRPC = TRPCOptionsProxy<AppRouter>
type FirstWord<T> = T extends `${infer Word}.${string}` ? Word : never
/** Event names that all readers of lists receive. The compiler requires an entry in `areaLists` for each. */
type HeardArea = FirstWord<EventsWith<{ lists: "also" }>>
type ListArea = keyof ReturnType<typeof areaLists>

/** Lists by the first word of the events that make them stale; some have no such event. */
function areaLists(trpc: TRPC) {
  return {
    session: [trpc.session.list, trpc.search.find, trpc.session.get],
    permission: [trpc.permission.list, trpc.permission.grants],
    project: [trpc.project],
    todo: [trpc.todo],
    share: [trpc.share],
    memory: [trpc.memory],
    schedule: [trpc.schedule],
    config: [trpc.config],
    // Without `lookUpPackage`: facts from the registry do not become stale.
    setting: [trpc.agent, trpc.provider.list, trpc.provider.defaultModel, trpc.provider.packages],
    review: [trpc.review.overview, trpc.review.thread, trpc.review.draft, trpc.review.verdict],
    inbox: [trpc.review.inbox, trpc.review.awaiting],
    // When the user's role changes, the service ends the feed; these lists are fetched again after the reconnect.
    me: [trpc.me.get, trpc.team],
    workspace: [trpc.workspace],
  } satisfies Record<HeardArea, { pathFilter(): object }[]> & Record<string, { pathFilter(): object }[]>
}

/** Areas whose rows arrive complete in events. */
const pushed: readonly ListArea[] = ["session", "inbox"]
/** Areas that come from configuration files. */
const configured = ["config", "setting"] as const satisfies ListArea[]

/** The areas that an item makes stale. After missed items (`null`, `resync`) all are stale. */
function staleAreas(areas: readonly ListArea[], item: FeedItem | null): readonly ListArea[] {
  if (item === null || item.type === "resync") return areas
  if (item.type === "config.updated") return configured
  return areas.filter((area) => !pushed.includes(area) && item.type.startsWith(`${area}.`))
}
