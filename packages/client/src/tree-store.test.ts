import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { createDocketClient, type DocketClient } from "./create-docket-client.ts"
import { type LiveService, startLiveService } from "./test/live-service.ts"
import { createTreeStore, type TreeStore, type TreeView } from "./tree-store.ts"

let service: LiveService
let client: DocketClient
let store: TreeStore
beforeEach(async () => {
  service = await startLiveService({ words: 40 })
  client = createDocketClient(service)
  store = createTreeStore(client, { sessionID: service.session.id, pageSize: 4 })
})
afterEach(async () => {
  store.close()
  await service.close()
})

const until = (holds: (view: TreeView) => boolean) =>
  new Promise<TreeView>((resolve) => {
    const look = () => {
      if (!holds(store.get())) return
      stop()
      resolve(store.get())
    }
    const stop = store.subscribe(look)
    queueMicrotask(look)
  })

const prompt = (text: string) =>
  client.session.prompt.mutate({ sessionID: service.session.id, parts: [{ type: "text", text }] })

const transcript = (view: TreeView) => view.tree?.transcripts[service.session.id]
const transcriptLength = (of: TreeStore) => transcript(of.get())?.messages.length ?? 0
const answerOf = (view: TreeView) => {
  const part = transcript(view)
    ?.messages.at(-1)
    ?.parts.find((it) => it.type === "text")
  return part?.type === "text" ? part.text : ""
}

it("an answer shows while streaming and matches the store at the end", async () => {
  await store.open(service.session.id)
  const streaming = until((view) => answerOf(view).includes("word 3 "))
  const turn = prompt("Go")
  expect(answerOf(await streaming)).not.toContain("word 39")
  expect((await turn).status).toBe("completed")
  const view = await until((it) => answerOf(it).includes("word 39") && Object.keys(it.tree?.turns ?? {}).length === 0)
  const { items } = await client.session.messages.query({ sessionID: service.session.id })
  expect(transcript(view)?.messages).toEqual(items)
  expect(view.tree?.todos[service.session.id]).toHaveLength(3)
})

it("a store opened in the middle of work misses nothing", async () => {
  for (let round = 0; round < 12; round++) {
    const late = createTreeStore(client, { sessionID: service.session.id })
    const running = prompt(`Round ${round}`)
    await until((view) => Object.keys(view.tree?.turns ?? {}).length > 0)
    // Each round opens the transcript a bit later in the turn.
    await new Promise((resolve) => setTimeout(resolve, round * 9))
    await late.open(service.session.id)
    await running
    const { items, seq } = await client.session.messages.query({ sessionID: service.session.id, limit: 100 })
    await new Promise<void>((resolve) => {
      const look = () => (late.get().tree?.seq ?? 0) >= seq && resolve()
      late.subscribe(look)
      look()
    })
    // The store begins with a short page.
    const held = transcript(late.get())?.messages ?? []
    expect(held.length).toBeGreaterThanOrEqual(Math.min(items.length, 30))
    expect(held).toEqual(items.slice(-held.length))
    late.close()
  }
})

it("a store keeps unchanged objects, so that nothing renders twice", async () => {
  await prompt("Go")
  await store.open(service.session.id)
  const before = transcript(await until((view) => view.connection === "live"))
  await client.session.update.mutate({ sessionID: service.session.id, title: "Another" })
  const after = await until((view) => view.tree?.sessions[service.session.id]?.title === "Another")
  expect(transcript(after)).toBe(before)
})

it("a transcript loads both ways from a place in the middle", async () => {
  for (const text of ["one", "two", "three", "four"]) await prompt(text)
  const all = (await client.session.messages.query({ sessionID: service.session.id })).items.map((it) => it.info.id)
  await store.open(service.session.id, all[5])
  const loaded = () => transcript(store.get())?.messages.map((it) => it.info.id) ?? []
  expect(loaded()).toContain(all[5])
  expect(loaded().length).toBeLessThan(all.length)
  while (await store.loadBefore(service.session.id)) expect(loaded().length).toBeLessThanOrEqual(all.length)
  while (await store.loadAfter(service.session.id)) expect(loaded().length).toBeLessThanOrEqual(all.length)
  expect(loaded()).toEqual(all)
  await store.openLatest(service.session.id)
  expect(loaded().at(-1)).toBe(all.at(-1))
})

it("opening a tree at a place takes one request, even when repeated", async () => {
  for (const text of ["one", "two", "three", "four"]) await prompt(text)
  const [first] = (await client.session.messages.query({ sessionID: service.session.id })).items
  const asked: string[] = []
  const counted = createDocketClient({
    ...service,
    fetch: (input, init) => {
      asked.push(String(input instanceof Request ? input.url : input))
      return globalThis.fetch(input, init)
    },
  })
  const late = createTreeStore(counted, { sessionID: service.session.id, pageSize: 4 })
  const ids = () => transcript(late.get())?.messages.map((it) => it.info.id)
  late.subscribe(() => {})
  await Promise.all([late.open(service.session.id, first?.info.id), late.open(service.session.id, first?.info.id)])
  expect(ids()).toContain(first?.info.id)
  const calls = () => asked.filter((url) => url.includes("session.")).length
  expect(calls()).toBe(1)
  await Promise.all([late.openLatest(service.session.id), late.openLatest(service.session.id)])
  expect(ids()).not.toContain(first?.info.id)
  expect(calls()).toBe(2)
  late.close()
})

it("the store starts from page data without refetching and receives later changes", async () => {
  const sessionID = service.session.id
  await prompt("one")
  const snapshot = await client.session.tree.query({ sessionID })
  const page = await client.session.messages.query({ sessionID, limit: 2 })
  const cut = page.items.flatMap(({ parts }) => parts.filter(({ type }) => type === "tool").map(({ id }) => id))
  await prompt("two")
  const asked: string[] = []
  const counted = createDocketClient({
    ...service,
    fetch: (input, init) => {
      asked.push(new URL(String(input instanceof Request ? input.url : input)).pathname.slice("/api/trpc/".length))
      return globalThis.fetch(input, init)
    },
  })
  const late = createTreeStore(counted, { sessionID })
  const clipped = page.items.map((item) => ({
    ...item,
    parts: item.parts.map((part) => (cut.includes(part.id) ? { ...part, tool: "of its beginning" } : part)),
  }))
  late.begin({ rootID: sessionID, snapshot, page: { ...page, items: clipped, sessionID }, cut })
  expect(transcript(late.get())?.messages).toEqual(clipped)
  expect(late.getSent().tree).toBeNull()
  await late.open(sessionID)
  const all = (await client.session.messages.query({ sessionID })).items
  await vi.waitFor(() => expect(transcript(late.get())?.messages).toEqual(all.slice(-transcriptLength(late))))
  expect(transcript(late.get())?.messages.at(-1)).toEqual(all.at(-1))
  expect(asked.filter((name) => !name.startsWith("session.part"))).toEqual(["event.subscribe"])
  expect(asked.length).toBe(cut.length > 0 ? 2 : 1)
  // A seed does not replace what is loaded or loading.
  const before = late.get()
  late.begin({ rootID: sessionID, snapshot, page: null, cut: [] })
  expect(late.get()).toBe(before)
  late.close()
})

it("an unknown place opens at the newest messages", async () => {
  await prompt("Go")
  await store.open(service.session.id, "no id at all")
  expect(store.get().error).toBeNull()
  expect(answerOf(store.get())).toContain("word 39")
})

it("a store reports that its session does not exist", async () => {
  const lost = createTreeStore(client, { sessionID: `ses_${"0".repeat(26)}` })
  await lost.open(`ses_${"0".repeat(26)}`)
  expect(lost.get().error?.data?.docketCode).toBe("session_not_found")
  lost.close()
})

it("a transcript requested during an outage loads after the service returns", async () => {
  await prompt("Go")
  const view = until((it) => it.connection === "live")
  await view
  await service.goAway()
  await store.open(service.session.id)
  expect(store.get().error).not.toBe(null)
  await service.comeBack()
  const back = await until((it) => transcript(it) !== undefined && it.error === null)
  expect(answerOf(back)).toContain("word 39")
})
