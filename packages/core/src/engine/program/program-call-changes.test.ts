import { describe, expect, test } from "vitest"
import { createCallChanges, newDiffRoom } from "./program-call-changes.ts"

const change = (file: string, after = "two\n") => ({ file, before: "one\n", after })
const nameOf = (file: string) => file

/** A clock on which each comparison takes so long. */
function slowClock(ms: number) {
  let reads = 0
  return { now: () => Math.floor(++reads / 2) * ms, compared: () => reads / 2 }
}

describe("the changes of a call", () => {
  test("are compared again only where they differ", () => {
    const clock = slowClock(0)
    const changes = createCallChanges(newDiffRoom(), clock.now)
    changes.describe([change("a"), change("b"), change("c")], nameOf)
    const told = changes.describe([change("a"), change("b", "three\n"), change("c")], nameOf)
    expect(clock.compared()).toBe(4)
    expect(told.map(({ diff }) => /\+(\w+)\n/.exec(diff)?.[1])).toEqual(["two", "three", "two"])
  })

  test("have no diffs once comparing took too long", () => {
    const clock = slowClock(200)
    const changes = createCallChanges(newDiffRoom(), clock.now)
    const told = changes.describe(
      Array.from({ length: 50 }, (_, n) => change(`${n}`)),
      nameOf,
    )
    expect(clock.compared()).toBe(3)
    expect(told.filter(({ diffOmitted }) => diffOmitted).length).toBe(47)
    expect(told.at(-1)).toMatchObject({ file: "49", additions: 1, deletions: 1, diff: "" })
  })

  test("share the room of their answer", () => {
    const room = { characters: 100, ms: 1_000 }
    const clock = slowClock(0)
    const told = ["a", "b", "c"].flatMap((file) => createCallChanges(room, clock.now).describe([change(file)], nameOf))
    expect(told.map(({ diffOmitted }) => diffOmitted)).toEqual([false, true, true])
  })

  test("give their room back when they change", () => {
    const room = newDiffRoom()
    const changes = createCallChanges(room, () => 0)
    changes.describe([change("a")], nameOf)
    const { characters } = room
    changes.describe([change("a", "six\n")], nameOf)
    expect(room.characters).toBe(characters)
  })
})
