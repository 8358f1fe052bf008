import { writeFile } from "node:fs/promises"
import path from "node:path"
import { InfiniteQueryObserver, QueryClient, QueryObserver } from "@tanstack/react-query"
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query"
import { afterEach, beforeEach, expect, it } from "vitest"
import { createDocketClient } from "../create-docket-client.ts"
import { createLiveTrees } from "../live-trees.ts"
import { type LiveService, startLiveService } from "../test/live-service.ts"
import { syncLists } from "./sync-lists.ts"

let service: LiveService
const open: (() => void)[] = []
beforeEach(async () => {
  service = await startLiveService({ words: 5 })
})
afterEach(async () => {
  for (const close of open.splice(0)) close()
  await service.close()
})

/** The cached lists of a browser tab: the session rail, page by page, the archive, and the inbox. */
async function openTab() {
  const asked: string[] = []
  let fails = (_url: string) => false
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = decodeURIComponent(String(input instanceof Request ? input.url : input))
    asked.push(url)
    if (fails(url)) throw new TypeError("Failed to fetch")
    return globalThis.fetch(input, init)
  }
  const client = createDocketClient({ ...service, fetch })
  const queries = new QueryClient({ defaultOptions: { queries: { networkMode: "always", retry: false } } })
  const trpc = createTRPCOptionsProxy({ client, queryClient: queries })
  const live = createLiveTrees(client)
  const rail = (archived: boolean) =>
    new InfiniteQueryObserver(queries, {
      ...trpc.session.list.infiniteQueryOptions(
        { limit: 40, archived },
        { getNextPageParam: (page) => page.cursor ?? undefined },
      ),
    })
  const [current, archive] = [rail(false), rail(true)]
  const inbox = new QueryObserver(queries, trpc.session.list.queryOptions({ limit: 50 }))
  let onChange = () => {}
  for (const observer of [current, archive, inbox]) open.push(observer.subscribe(() => onChange()))
  // Lists are fetched again when the feed has begun.
  const again = Promise.withResolvers<void>()
  const cache = queries.getQueryCache()
  open.push(
    cache.subscribe((event) => event.type === "updated" && event.action.type === "invalidate" && again.resolve()),
  )
  const page = new EventTarget()
  open.push(syncLists({ live, trpc, queries, repeatPauses: { first: 20, longest: 40 }, page }))
  await again.promise
  const titles = ({ pages = [] }: { pages?: { items: { session: { title: string } }[] }[] } = {}) =>
    pages.flatMap(({ items }) => items.map(({ session }) => session.title))
  const shown = () => ({
    rail: titles(current.getCurrentResult().data),
    archive: titles(archive.getCurrentResult().data),
    inbox: inbox.getCurrentResult().data?.items ?? [],
  })
  /** Resolves when the lists show it. */
  const until = (isShown: (lists: ReturnType<typeof shown>) => boolean) =>
    new Promise<void>((resolve) => {
      onChange = () => isShown(shown()) && resolve()
      onChange()
    })
  const listRequests = () => asked.filter((url) => url.includes("session.list") || url.includes("project.list")).length
  await new Promise<void>((resolve) => {
    const look = () => queries.isFetching() === 0 && resolve()
    open.push(cache.subscribe(look))
    look()
  })
  const failWhile = (isFailing: typeof fails) => {
    fails = isFailing
  }
  const comeBack = () => page.dispatchEvent(new Event("focus"))
  return { queries, trpc, listRequests, shown, until, failWhile, comeBack }
}

type Tab = Awaited<ReturnType<typeof openTab>>

/** Resolves when the cache of a tab fulfils the condition. */
const cached = ({ queries }: Tab, isSo: () => boolean) =>
  new Promise<void>((resolve) => {
    const look = () => isSo() && resolve()
    open.push(queries.getQueryCache().subscribe(look))
    look()
  })
const anyFailed = ({ queries }: Tab) =>
  queries
    .getQueryCache()
    .getAll()
    .some(({ state }) => state.status === "error")

it("a working session updates rows in other tabs without list requests", async () => {
  const { runtime, session } = service
  const tabs = [await openTab(), await openTab()]
  for (const tab of tabs) await tab.until(({ rail, inbox }) => rail.length === 1 && inbox.length === 1)
  const before = tabs.map((tab) => tab.listRequests())
  for (let n = 0; n < 5; n++) {
    const turn = await runtime.session.promptAsync({
      sessionID: session.id,
      parts: [{ type: "text", text: `Prompt ${n}` }],
    })
    await runtime.session.wait({ turnID: turn.id })
    for (let title = 0; title < 20; title++)
      await runtime.session.update({ sessionID: session.id, title: `Title ${n}.${title}` })
  }
  const { items } = await runtime.session.list({})
  for (const tab of tabs) await tab.until(({ inbox }) => JSON.stringify(inbox) === JSON.stringify(items))
  expect(items[0]).toMatchObject({ session: { title: "Title 4.19" }, running: 0 })
  expect(items[0]?.treeTokens).toBeGreaterThan(0)
  expect(tabs.map((tab) => tab.listRequests())).toEqual(before)
})

it("session changes elsewhere appear in every tab without a request", async () => {
  const { runtime, session } = service
  const tabs = [await openTab(), await openTab()]
  const all = (isShown: Parameters<(typeof tabs)[0]["until"]>[0]) => Promise.all(tabs.map((tab) => tab.until(isShown)))
  await all(({ rail, inbox }) => rail.length === 1 && inbox.length === 1)
  const before = tabs.map((tab) => tab.listRequests())
  const second = await runtime.session.create({ projectID: session.projectID, title: "Second" })
  await all(({ rail }) => rail[0] === "Second" && rail.length === 2)
  await runtime.session.update({ sessionID: session.id, title: "First again" })
  await all(({ rail }) => rail.join() === "Second,First again")
  await runtime.session.update({ sessionID: second.id, archived: true })
  await all(({ rail, archive, inbox }) => rail.length === 1 && archive.join() === "Second" && inbox.length === 1)
  await runtime.session.update({ sessionID: second.id, archived: false })
  await all(({ rail, archive }) => rail.length === 2 && archive.length === 0)
  await runtime.session.remove({ sessionID: second.id })
  await all(({ rail, inbox }) => rail.join() === "First again" && inbox.length === 1)
  expect(tabs.map((tab) => tab.listRequests())).toEqual(before)
})

it("an unanswered read is repeated until it succeeds, with the feed intact", async () => {
  const tab = await openTab()
  let failures = 0
  tab.failWhile((url) => url.includes("session.list") && failures++ < 3)
  await tab.queries.invalidateQueries(tab.trpc.session.list.pathFilter())
  await cached(tab, () => failures > 3 && !anyFailed(tab))
  await tab.until(({ rail, inbox }) => rail.length === 1 && inbox.length === 1)
})

it("returning to the window refreshes configuration without requesting lists", async () => {
  const { directory, session } = service
  const tab = await openTab()
  const config = new QueryObserver(
    tab.queries,
    tab.trpc.config.get.queryOptions({ projectID: session.projectID }, { staleTime: 60_000 }),
  )
  open.push(config.subscribe(() => {}))
  await cached(tab, () => config.getCurrentResult().isSuccess && tab.queries.isFetching() === 0)
  const before = tab.listRequests()
  const file = path.join(directory, "docket.json")
  await writeFile(file, "{")
  tab.comeBack()
  await cached(tab, () => config.getCurrentResult().data?.problems.some((problem) => problem.file === file) === true)
  expect(tab.listRequests()).toBe(before)
})

it("after an outage, failed and missed reads match the service again", async () => {
  const { runtime, session } = service
  const tab = await openTab()
  const { queries, trpc } = tab
  const projectID = session.projectID
  const reads = [
    new QueryObserver(queries, trpc.permission.list.queryOptions({})),
    new QueryObserver(queries, trpc.project.list.queryOptions()),
    new QueryObserver(queries, trpc.project.get.queryOptions({ projectID })),
    new QueryObserver(queries, trpc.session.get.queryOptions({ sessionID: session.id })),
    new QueryObserver(queries, trpc.search.find.queryOptions({ text: "title" })),
    new QueryObserver(queries, trpc.todo.find.queryOptions({ scope: { kind: "all" } })),
    new QueryObserver(queries, trpc.changes.list.queryOptions({ sessionID: session.id })),
    new QueryObserver(queries, trpc.agent.list.queryOptions({ projectID })),
    new QueryObserver(queries, trpc.provider.list.queryOptions({ projectID })),
    new QueryObserver(queries, trpc.config.get.queryOptions({ projectID })),
  ]
  for (const read of reads) open.push(read.subscribe(() => {}))
  const later = new QueryObserver(queries, trpc.schedule.list.queryOptions({}))
  await cached(tab, () => queries.isFetching() === 0)
  await service.goAway()
  // Every fetch in the meantime fails.
  open.push(later.subscribe(() => {}))
  await queries.invalidateQueries()
  await cached(tab, () => later.getCurrentResult().isError && reads.every((read) => read.getCurrentResult().isError))
  await runtime.session.update({ sessionID: session.id, title: "The title of today" })
  await runtime.session.create({ projectID, title: "Second title" })
  await service.comeBack()
  await cached(tab, () => !anyFailed(tab) && later.getCurrentResult().isSuccess)
  await tab.until(({ rail, inbox }) => rail.join() === "Second title,The title of today" && inbox.length === 2)
  await cached(tab, () => {
    const got = queries.getQueryData(trpc.session.get.queryKey({ sessionID: session.id }))
    const found = queries.getQueryData(trpc.search.find.queryKey({ text: "title" }))
    return got?.title === "The title of today" && JSON.stringify(found).includes("Second title")
  })
})
