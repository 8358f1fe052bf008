import { expect, test } from "vitest"
import { createPlaceStore, type Place } from "./place.ts"

const at = (key: string): Place => ({ following: false, row: { key, source: key, above: 12 }, open: [[key, true]] })

function memoryStorage(): Pick<Storage, "getItem" | "setItem"> & { text: string | null } {
  return {
    text: null,
    getItem() {
      return this.text
    },
    setItem(_key, value) {
      this.text = value
    },
  }
}

test("a session opens where it was left, a history entry likewise", () => {
  const store = createPlaceStore(memoryStorage())
  store.write("ses_a", "first", at("one"))
  store.write("ses_a", "second", at("two"))
  expect(store.read("ses_a", "first")).toEqual({ place: at("one"), sameEntry: true })
  expect(store.read("ses_a", "third")).toEqual({ place: at("two"), sameEntry: false })
  expect(store.read("ses_b", "first")).toBeNull()
})

test("a visit's start is its place until another is kept", () => {
  const store = createPlaceStore(memoryStorage())
  store.begin("ses_a", "first", at("one"))
  expect(store.read("ses_a", "first")).toEqual({ place: at("one"), sameEntry: true })
  expect(store.read("ses_a", "second")).toBeNull()
  store.write("ses_a", "first", at("two"))
  store.begin("ses_a", "first", at("one"))
  expect(store.read("ses_a", "first")?.place).toEqual(at("two"))
  store.begin("ses_a", null, at("one"))
  expect(store.read("ses_a", null)?.place).toEqual(at("two"))
})

test("a reload finds the places again, and forgets what it cannot read", () => {
  const storage = memoryStorage()
  createPlaceStore(storage).write("ses_a", null, at("one"))
  expect(createPlaceStore(storage).read("ses_a", null)?.place).toEqual(at("one"))
  storage.text = '[["ses_a",{"row":5}]]'
  expect(createPlaceStore(storage).read("ses_a", null)).toBeNull()
})

test("the oldest places are forgotten", () => {
  const storage = memoryStorage()
  const store = createPlaceStore(storage)
  for (let index = 0; index < 300; index++) store.write(`ses_${index}`, "entry", at("row"))
  expect(store.read("ses_0", "entry")).toBeNull()
  expect(store.read("ses_299", "entry")).not.toBeNull()
  expect(JSON.parse(storage.text ?? "")).toHaveLength(100)
})

test("a storage that takes nothing keeps the place for this page", () => {
  const store = createPlaceStore({
    getItem: () => null,
    setItem() {
      throw new DOMException("full", "QuotaExceededError")
    },
  })
  store.write("ses_a", null, at("one"))
  expect(store.read("ses_a", null)?.place).toEqual(at("one"))
})
