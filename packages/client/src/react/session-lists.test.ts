import type { SessionListItem } from "@docket/core/schema"
import { QueryClient, QueryObserver } from "@tanstack/react-query"
import { expect, it } from "vitest"
import { createSessionLists } from "./session-lists.ts"

// Only the fields that lists read.
const row = (needsYou: number) =>
  ({ session: { id: "ses_1", projectID: "prj_1", time: { updated: 5, archived: null } }, needsYou }) as SessionListItem

/** A visible list whose fetches are answered when the test says so. */
function shownList() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } })
  let answer = Promise.withResolvers<SessionListItem[]>()
  const queryKey = [["session", "list"], { input: {}, type: "query" }]
  const list = new QueryObserver(queries, {
    queryKey,
    enabled: false,
    queryFn: async () => ({ items: await answer.promise, cursor: null }),
  })
  const leave = list.subscribe(() => {})
  const lists = createSessionLists(queries, { queryKey: [["session", "list"]] })
  return {
    lists,
    needsYou: () => list.getCurrentResult().data?.items.map((item) => item.needsYou),
    /** Starts a fetch, and runs `meanwhile` before the answer. */
    async fetch(end: (answer: PromiseWithResolvers<SessionListItem[]>) => void, meanwhile = () => {}) {
      answer = Promise.withResolvers()
      const fetched = list.refetch({ cancelRefetch: false })
      meanwhile()
      end(answer)
      await fetched
    },
    close() {
      lists.stop()
      leave()
    },
  }
}

it("a row sent during a list request overwrites that list's row", async () => {
  const { lists, fetch, needsYou, close } = shownList()
  await fetch(
    ({ resolve }) => resolve([row(0)]),
    () => lists.put(row(1)),
  )
  expect(needsYou()).toEqual([1])
  close()
})

it("a row pushed during a failed request yields to the next list", async () => {
  const { lists, fetch, needsYou, close } = shownList()
  await fetch(({ resolve }) => resolve([row(0)]))
  await fetch(
    ({ reject }) => reject(new Error("offline")),
    () => lists.put(row(1)),
  )
  expect(needsYou()).toEqual([1])
  await fetch(({ resolve }) => resolve([row(0)]))
  expect(needsYou()).toEqual([0])
  close()
})
