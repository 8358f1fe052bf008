import { localPerson } from "@docket/core/local-person"
import { expect, it } from "vitest"
import { initials, namesOf, personName } from "./person-words.ts"

it("calls the reader You, others by their names, and whoever has none Someone", () => {
  expect(personName(localPerson)).toBe("You")
  expect(personName("Ann  Example\n")).toBe("Ann Example")
  for (const none of [undefined, null, "", "  ", "\u202E\u200F"]) expect(personName(none)).toBe("Someone")
})

it("lets no name turn the words beside it, nor be longer than a line", () => {
  expect(personName("\u202Enna\u202C")).toBe("nna")
  expect([...personName("𝒜".repeat(10_000))]).toHaveLength(60)
})

it("stands for a name by one or two of its letters", () => {
  const expected = {
    [localPerson]: "Y",
    "ann example": "AE",
    "bo.smith@example.org": "BS",
    "": "S",
    "!!": "?",
    李: "李",
  }
  for (const [person, letters] of Object.entries(expected)) expect(initials(person)).toBe(letters)
})

it("names several in words", () => {
  expect(namesOf(["ann"])).toBe("ann")
  expect(namesOf(["ann", "bo"], 3)).toBe("ann, bo, and 3 more")
})
