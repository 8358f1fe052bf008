import type { ReviewDraft } from "@docket/core/schema"
import { expect, test } from "vitest"
import { type CommentPlace, createDraftBox, type DraftBoxDeps } from "./draft-box.ts"

const session = "ses_1"
/** The stamp of a list that is newer than every change. */
const now = Number.POSITIVE_INFINITY
const place: CommentPlace = { sessionID: session, place: { kind: "session" }, quote: null }

/** The service cannot be reached. */
class Lost extends Error {}
/** The service has no such draft. */
class Unknown extends Error {}

function browserStorage() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    key: (index: number) => [...items.keys()][index] ?? null,
    get length() {
      return items.size
    },
  }
}

/** A server that stores one draft per place, as the real one does, and can be unreachable. */
function service() {
  const drafts = new Map<string, ReviewDraft>()
  const posted: string[] = []
  let clock = 0
  const state = { lost: false, refuse: null as string | null }
  const reach = async () => {
    await Promise.resolve()
    if (state.lost) throw new Lost("no connection")
  }
  const save: DraftBoxDeps["save"] = async ({ draftID, text, since }) => {
    await reach()
    if (state.refuse !== null) throw new Error(state.refuse)
    const before = drafts.get(draftID ?? "") ?? (draftID === null ? [...drafts.values()][0] : undefined)
    if (draftID !== null && before === undefined) throw new Unknown(draftID)
    const id = before?.id ?? `rvc_${drafts.size + posted.length}`
    clock += 1
    const time = { created: 0, updated: clock }
    const by = { person: "local", workspace: "local" }
    const at = { rootID: session, sessionID: session, threadID: `rvt_${id}`, taskID: null }
    const draft: ReviewDraft = { id, ...at, anchor: { kind: "session" }, by, text, time }
    drafts.set(id, draft)
    const isUnseen = before !== undefined && before.time.updated !== since && before.text !== text
    return isUnseen ? { ...draft, replaced: before.text } : draft
  }
  const post = async (_: string, id: string) => {
    await reach()
    const draft = drafts.get(id)
    if (draft === undefined) throw new Unknown(id)
    posted.push(draft.text)
    drafts.delete(id)
  }
  const discard = async (id: string) => {
    await reach()
    drafts.delete(id)
  }
  return { drafts, posted, state, save, post, discard }
}

/** A tab whose timers run only by `runTimers`, which also waits for the saves that they start. */
function tab(server: ReturnType<typeof service>, storage = browserStorage()) {
  const due = new Set<() => void>()
  const box = createDraftBox(
    {
      ...server,
      storage,
      isLost: (error) => error instanceof Lost,
      isUnknown: (error) => error instanceof Unknown,
      later: (work) => {
        due.add(work)
        return () => due.delete(work)
      },
    },
    session,
  )
  const runTimers = async () => {
    for (const work of [...due]) {
      due.delete(work)
      work()
    }
    await box.settled()
  }
  return { box, storage, runTimers }
}

/** A tab in which the user has started a draft at the place. */
function writing(text: string, server = service()) {
  const { box, storage, runTimers } = tab(server)
  const key = box.open(place)
  box.write(key, text)
  return { server, box, storage, runTimers, key }
}

/** Two tabs of the same user. In the first one a draft was written and saved. */
async function twoTabs(text: string) {
  const { server, box, key } = writing(text)
  await box.settled()
  return { server, one: box, two: tab(server).box, key }
}

test("a draft is kept in the browser until the service has it", async () => {
  const server = service()
  const { box, storage, runTimers } = tab(server)
  const key = box.open(place)
  expect(storage.items.size).toBe(0)
  box.write(key, "w")
  box.write(key, "why?")
  expect(JSON.stringify([...storage.items.values()])).toContain("why?")
  expect(server.drafts.size).toBe(0)
  await runTimers()
  expect([...server.drafts.values()]).toMatchObject([{ text: "why?" }])
  expect(box.list()).toMatchObject([{ text: "why?", state: { is: "kept" } }])
  expect(storage.items.size).toBe(0)
})

test("text that is written during a save is saved too", async () => {
  const { server, box, key } = writing("one")
  const settled = box.settled()
  box.write(key, "one two")
  await settled
  await box.settled()
  expect([...server.drafts.values()]).toMatchObject([{ text: "one two" }])
})

test("an offline draft survives a reload and is saved once when online", async () => {
  const server = service()
  server.state.lost = true
  const first = tab(server)
  const key = first.box.open(place)
  first.box.write(key, "do not lose me")
  first.box.post(key)
  await first.box.settled()
  expect(first.box.list()).toMatchObject([{ text: "do not lose me", posting: true, state: { is: "offline" } }])
  first.box.close()

  const second = tab(server, first.storage)
  expect(second.box.list()).toMatchObject([{ text: "do not lose me", posting: true }])
  server.state.lost = false
  second.box.retry()
  await second.box.settled()
  expect(server.posted).toEqual(["do not lose me"])
  expect(second.box.list()).toEqual([])
  expect(second.storage.items.size).toBe(0)
})

test("the newer text of two tabs wins; the older can be appended", async () => {
  const { server, one, two, key } = await twoTabs("from one")
  two.open(place)
  two.write(key, "from two")
  await two.settled()
  expect(two.list()).toMatchObject([{ text: "from two", replaced: "from one" }])
  one.adopt([...server.drafts.values()], now)
  expect(one.list()).toMatchObject([{ text: "from two", replaced: null }])
  two.takeReplaced(key, true)
  await two.settled()
  expect([...server.drafts.values()]).toMatchObject([{ text: "from two\n\nfrom one" }])
})

test("unsaved text is not overwritten by another tab's save", async () => {
  const server = service()
  const one = writing("still writing", server)
  await writing("saved", server).box.settled()
  one.box.adopt([...server.drafts.values()], now)
  expect(one.box.list()).toMatchObject([{ text: "still writing" }])
  await one.box.settled()
  expect(one.box.list()).toMatchObject([{ text: "still writing", replaced: "saved" }])
})

test("a refused text stays, with the reason, until it is edited", async () => {
  const server = service()
  const { box, storage } = tab(server)
  const key = box.open(place)
  server.state.refuse = "The comment has 20001 characters and the most is 20000."
  box.write(key, "x".repeat(20_001))
  box.post(key)
  await box.settled()
  expect(box.list()).toMatchObject([{ posting: false, state: { is: "refused", why: server.state.refuse } }])
  expect(storage.items.size).toBe(1)
  server.state.refuse = null
  box.write(key, "short")
  await box.settled()
  expect(box.list()).toMatchObject([{ text: "short", state: { is: "kept" } }])
})

test("a draft posted in another tab disappears unless it has newer text", async () => {
  const { server, one, two, key } = await twoTabs("said")
  two.adopt([...server.drafts.values()], now)
  one.post(key)
  await one.settled()
  two.adopt([], now)
  expect(two.list()).toEqual([])

  one.open(place)
  one.write(key, "said too")
  await one.settled()
  two.adopt([...server.drafts.values()], now)
  two.write(key, "said too, and more")
  one.post(key)
  await one.settled()
  await two.settled()
  await two.settled()
  expect(server.posted).toEqual(["said", "said too"])
  expect([...server.drafts.values()]).toMatchObject([{ text: "said too, and more" }])
})

test("an outdated list removes no saved draft and restores no posted one", async () => {
  const { server, box, key } = writing("just saved")
  const before = { list: [...server.drafts.values()], stamp: box.stamp() }
  await box.settled()
  box.adopt(before.list, before.stamp)
  expect(box.list()).toMatchObject([{ text: "just saved" }])
  const saved = { list: [...server.drafts.values()], stamp: box.stamp() }
  box.post(key)
  await box.settled()
  box.adopt(saved.list, saved.stamp)
  expect(box.list()).toEqual([])
})
