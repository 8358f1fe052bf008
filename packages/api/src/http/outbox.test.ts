import { setImmediate as nextTurn } from "node:timers/promises"
import { expect, it } from "vitest"
import { createOutbox } from "./outbox.ts"

/** A reader that notes each write. */
function openReader(outbox: ReturnType<typeof createOutbox>) {
  const writes: Uint8Array[] = []
  const wrote = { next: Promise.withResolvers<void>() }
  const reader = outbox.open((bytes) => {
    writes.push(bytes)
    wrote.next.resolve()
    wrote.next = Promise.withResolvers()
  })
  return { ...reader, writes, next: () => wrote.next.promise, text: () => Buffer.concat(writes).toString() }
}

it("equal output for many readers is written as the same shared bytes", async () => {
  const outbox = createOutbox()
  const readers = Array.from({ length: 200 }, () => openReader(outbox))
  const putToAll = async (words: string[]) => {
    const written = Promise.all(readers.map(({ next }) => next()))
    for (const word of words) for (const reader of readers) reader.put(word)
    await written
  }
  await putToAll(["a", "b", "c"])
  await putToAll(["d"])
  expect(readers.every(({ text }) => text() === "abcd")).toBe(true)
  expect(readers.every(({ writes }) => writes.length === 2)).toBe(true)
  expect(new Set(readers.map(({ writes }) => writes[0])).size).toBe(1)
})

it("the more readers, the more events are written in one piece", async () => {
  const outbox = createOutbox()
  const readers = Array.from({ length: 200 }, () => openReader(outbox))
  const last = readers.at(-1)
  const put = (word: string) => {
    for (const reader of readers) reader.put(word)
  }
  const first = last?.next()
  put("a")
  await first
  const second = last?.next()
  // The event loop turns between these, but they are still one piece.
  for (const word of ["b", "c", "d"]) {
    put(word)
    await nextTurn()
  }
  await second
  expect(last?.writes.map((bytes) => Buffer.from(bytes).toString())).toEqual(["a", "bcd"])
})

it("flushed and large output is written at once, in order, without repeats", async () => {
  const reader = openReader(createOutbox())
  reader.put("a")
  reader.flush()
  expect(reader.text()).toBe("a")
  reader.put("b".repeat(300_000))
  expect(reader.writes).toHaveLength(2)
  const next = reader.next()
  reader.put("c")
  await next
  expect(reader.text()).toBe(`a${"b".repeat(300_000)}c`)
  reader.flush()
  expect(reader.writes).toHaveLength(3)
})
