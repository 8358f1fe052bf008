import type { ReviewDraft } from "@docket/core/schema"
import { expect, test } from "vitest"
import { type CommentPlace, createDraftBox, type DraftBoxDeps } from "./draft-box.ts"

const session = "ses_1"
/** The stamp of a list that is newer than every change. */
const now = Number.POSITIVE_INFINITY
const place: CommentPlace = { sessionID: session, place: { kind: "session" }, quote: null }

class Lost extends Error {}
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

/** A tab whose timers run when the test says so. */
function tab(on: ReturnType<typeof service>, storage = browserStorage()) {
  const due = new Set<() => void>()
  const box = createDraftBox(
    {
      ...on,
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
  const rest = async () => {
    for (const work of [...due]) {
      due.delete(work)
      work()
    }
    await box.settled()
  }
  return { box, storage, rest }
}

/** A tab in which the user has started a draft at the place. */
function writing(text: string, on = service()) {
  const { box, storage, rest } = tab(on)
  const key = box.open(place)
  box.write(key, text)
  return { on, box, storage, rest, key }
}

/** Two tabs of the same user. In the first one a draft was written and saved. */
async function twoTabs(text: string) {
  const { on, box, key } = writing(text)
  await box.settled()
  return { on, one: box, two: tab(on).box, key }
}

test("a draft is kept in the browser until the service has it", async () => {
  const on = service()
  const { box, storage, rest } = tab(on)
  const key = box.open(place)
  expect(storage.items.size).toBe(0)
  box.write(key, "w")
  box.write(key, "why?")
  expect(JSON.stringify([...storage.items.values()])).toContain("why?")
  expect(on.drafts.size).toBe(0)
  await rest()
  expect([...on.drafts.values()]).toMatchObject([{ text: "why?" }])
  expect(box.list()).toMatchObject([{ text: "why?", state: { is: "kept" } }])
  expect(storage.items.size).toBe(0)
})

test("what is written while it is being saved is saved too", async () => {
  const { on, box, key } = writing("one")
  const settled = box.settled()
  box.write(key, "one two")
  await settled
  await box.settled()
  expect([...on.drafts.values()]).toMatchObject([{ text: "one two" }])
})

test("an offline draft survives a reload and is saved once when online", async () => {
  const on = service()
  on.state.lost = true
  const first = tab(on)
  const key = first.box.open(place)
  first.box.write(key, "do not lose me")
  first.box.post(key)
  await first.box.settled()
  expect(first.box.list()).toMatchObject([{ text: "do not lose me", posting: true, state: { is: "offline" } }])
  first.box.close()

  const second = tab(on, first.storage)
  expect(second.box.list()).toMatchObject([{ text: "do not lose me", posting: true }])
  on.state.lost = false
  second.box.retry()
  await second.box.settled()
  expect(on.posted).toEqual(["do not lose me"])
  expect(second.box.list()).toEqual([])
  expect(second.storage.items.size).toBe(0)
})

test("the newest draft of two tabs wins; the older can be restored", async () => {
  const { on, one, two, key } = await twoTabs("from one")
  two.open(place)
  two.write(key, "from two")
  await two.settled()
  expect(two.list()).toMatchObject([{ text: "from two", replaced: "from one" }])
  one.adopt([...on.drafts.values()], now)
  expect(one.list()).toMatchObject([{ text: "from two", replaced: null }])
  two.takeReplaced(key, true)
  await two.settled()
  expect([...on.drafts.values()]).toMatchObject([{ text: "from two\n\nfrom one" }])
})

test("unsaved words are not overwritten by another tab's save", async () => {
  const on = service()
  const one = writing("still writing", on)
  await writing("saved", on).box.settled()
  one.box.adopt([...on.drafts.values()], now)
  expect(one.box.list()).toMatchObject([{ text: "still writing" }])
  await one.box.settled()
  expect(one.box.list()).toMatchObject([{ text: "still writing", replaced: "saved" }])
})

test("a refusal is shown and the text stays until edited", async () => {
  const on = service()
  const { box, storage } = tab(on)
  const key = box.open(place)
  on.state.refuse = "The comment has 20001 characters and the most is 20000."
  box.write(key, "x".repeat(20_001))
  box.post(key)
  await box.settled()
  expect(box.list()).toMatchObject([{ posting: false, state: { is: "refused", why: on.state.refuse } }])
  expect(storage.items.size).toBe(1)
  on.state.refuse = null
  box.write(key, "short")
  await box.settled()
  expect(box.list()).toMatchObject([{ text: "short", state: { is: "kept" } }])
})

test("a draft posted in another tab goes, unless newer words wait", async () => {
  const { on, one, two, key } = await twoTabs("said")
  two.adopt([...on.drafts.values()], now)
  one.post(key)
  await one.settled()
  two.adopt([], now)
  expect(two.list()).toEqual([])

  one.open(place)
  one.write(key, "said too")
  await one.settled()
  two.adopt([...on.drafts.values()], now)
  two.write(key, "said too, and more")
  one.post(key)
  await one.settled()
  await two.settled()
  await two.settled()
  expect(on.posted).toEqual(["said", "said too"])
  expect([...on.drafts.values()]).toMatchObject([{ text: "said too, and more" }])
})

test("a late list removes no saved draft and restores no posted one", async () => {
  const { on, box, key } = writing("just saved")
  const before = { list: [...on.drafts.values()], stamp: box.stamp() }
  await box.settled()
  box.adopt(before.list, before.stamp)
  expect(box.list()).toMatchObject([{ text: "just saved" }])
  const saved = { list: [...on.drafts.values()], stamp: box.stamp() }
  box.post(key)
  await box.settled()
  box.adopt(saved.list, saved.stamp)
  expect(box.list()).toEqual([])
})
