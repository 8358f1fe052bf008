import { expect, it } from "vitest"
import { createCachedDrafts, draftsKey } from "./cached-drafts.ts"

function storageOf(text: string | null = null) {
  const values = new Map(text === null ? [] : [[draftsKey, text]])
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  }
}
const picked = [{ kind: "file" as const, value: "src/a.ts" }]

it("unsent prompts survive a reload, each under its session", () => {
  const storage = storageOf()
  const before = createCachedDrafts(storage)
  before.write("ses_1", { text: "Look at @src/a.ts", picked })
  before.write("ses_2", { text: "Other", picked: [] })
  before.write("ses_2", null)
  const after = createCachedDrafts(storage)
  expect(after.read("ses_1")).toEqual({ text: "Look at @src/a.ts", picked })
  expect(after.read("ses_2")).toBeNull()
})

it("invalid stored values and a full storage break nothing", () => {
  for (const text of [
    "",
    "{",
    "{}",
    "[1]",
    '[["ses_1",{"text":1,"picked":[]}]]',
    '[["ses_1",{"text":"a","picked":[7]}]]',
  ])
    expect(createCachedDrafts(storageOf(text)).read("ses_1")).toBeNull()
  const full = {
    getItem: () => null,
    setItem() {
      throw new Error("full")
    },
  }
  const drafts = createCachedDrafts(full)
  drafts.write("ses_1", { text: "a", picked: [] })
  expect(drafts.read("ses_1")?.text).toBe("a")
})
