import { expect, test } from "vitest"
import { createRequestDrafts } from "./request-drafts.ts"

const isText = (value: unknown) => typeof value === "string"

function storageOf(first: Record<string, string> = {}) {
  const items = new Map(Object.entries(first))
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
}

test("a draft survives a reload and is gone once sent", () => {
  const storage = storageOf()
  const drafts = createRequestDrafts("notes", isText, () => storage)
  drafts.write("a", "one")
  drafts.write("b", "two")
  drafts.write("a", null)
  const again = createRequestDrafts("notes", isText, () => storage)
  expect([again.read("a"), again.read("b")]).toEqual([null, "two"])
})

test("invalid and unreadable drafts are dropped", () => {
  const draftsFrom = (text: string) => createRequestDrafts("notes", isText, () => storageOf({ notes: text }))
  const mixed = draftsFrom('[["a", 1], ["b", "two"], "c", [3, "d"]]')
  expect([mixed.read("a"), mixed.read("b"), mixed.read("c")]).toEqual([null, "two", null])
  expect(draftsFrom("{").read("a")).toBeNull()
  expect(draftsFrom("{}").read("a")).toBeNull()
})

test("without storage drafts last as long as the page", () => {
  const denied = createRequestDrafts("notes", isText, () => {
    throw new Error("denied")
  })
  denied.write("a", "one")
  expect(denied.read("a")).toBe("one")
  const storage = storageOf()
  const drafts = createRequestDrafts("notes", isText, () => storage)
  drafts.write("a", "x".repeat(300_000))
  drafts.write("b", "two")
  expect(drafts.read("a")).toHaveLength(300_000)
  expect(storage.items.get("notes")).toBe('[["b","two"]]')
})
