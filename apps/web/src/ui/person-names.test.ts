import { localPerson } from "@docket/core/local-person"
import { expect, it } from "vitest"
import { type People, withoutAccounts } from "./people.ts"
import { initials, namesOf, personInSentence, personName } from "./person-names.ts"

const alone = withoutAccounts(localPerson)
const names: Record<string, string> = { u1: "Ada Lovelace", u2: "Bo" }
const team: People = { me: "u1", nameOf: (person) => names[person] ?? null }

it("the reader is You, others have names, unknown people are Someone", () => {
  expect(personName(localPerson, alone)).toBe("You")
  expect(personName("Ann  Example\n", alone)).toBe("Ann Example")
  for (const none of [undefined, null, "", "  ", "\u202E\u200F"]) expect(personName(none, alone)).toBe("Someone")
})

it("a team uses account names; people without an account are former members", () => {
  expect(["u1", "u2", "u3", localPerson].map((person) => personName(person, team))).toEqual([
    "You",
    "Bo",
    "Former member",
    "Former member",
  ])
  expect(["u1", "u2", "u3"].map((person) => initials(person, team))).toEqual(["AL", "B", "FM"])
  expect(personName("u2", { me: "u1", nameOf: () => undefined })).toBe("Someone")
})

it("substitutes for names are lower-case within a sentence", () => {
  expect(["u1", "u2", "u3", undefined].map((person) => personInSentence(person, team))).toEqual([
    "you",
    "Bo",
    "a former member",
    "someone",
  ])
})

it("a name cannot reverse nearby text or exceed a line", () => {
  expect(personName("\u202Enna\u202C", alone)).toBe("nna")
  expect(personName("A\u200Bd\u061Ca\u2800", alone)).toBe("Ada")
  expect([...personName("𝒜".repeat(10_000), alone)]).toHaveLength(60)
})

it("initials are one or two letters of the name", () => {
  const expected = {
    [localPerson]: "Y",
    "ann example": "AE",
    "bo.smith@example.org": "BS",
    "": "S",
    "!!": "?",
    李: "李",
  }
  for (const [person, letters] of Object.entries(expected)) expect(initials(person, alone)).toBe(letters)
})

it("namesOf joins several names in a sentence", () => {
  expect(namesOf(["ann"], alone)).toBe("ann")
  expect(namesOf(["ann", "bo"], alone, 3)).toBe("ann, bo, and 3 more")
})

it("former members keep their last name; members show the current one", () => {
  const by = (person: string, name?: string) => ({ person, name, workspace: "acme" })
  expect(personName(by("u3", "Cy Young"), team)).toBe("Cy Young")
  expect(initials(by("u3", "Cy Young"), team)).toBe("CY")
  expect(personName(by("u2", "Bob"), team)).toBe("Bo")
  expect(personName(by("u2", "Bob"), { me: "u1", nameOf: () => undefined })).toBe("Bob")
  expect(personName(by("token:tok_1", "ci"), team)).toBe("API token: ci")
  expect(personName(by("token:tok_1", "ci"), alone)).toBe("API token: ci")
  expect(personName("token:tok_1", team)).toBe("API token")
  expect(namesOf([by("u3", "Cy"), by("u2")], team)).toBe("Cy and Bo")
})

it("people of an imported file get no name of this service", () => {
  const from = (person: string, name?: string) => ({ person: `imported:${person}`, name })
  for (const people of [team, alone]) {
    expect(personName(from("u2", "Bo"), people)).toBe("Bo (imported)")
    expect(personName(from("u1", "\u202EAda\n"), people)).toBe("Ada (imported)")
    expect([personName(from("u2"), people), personInSentence(from("u2"), people)]).toEqual([
      "Someone (imported)",
      "someone (imported)",
    ])
  }
  expect(personName(from("u2", `Bo${"\u3164".repeat(50)}`), team)).toBe("Bo (imported)")
  expect(personName(from("u2", "B".repeat(90)), team)).toBe(`${"B".repeat(29)}… (imported)`)
  expect([initials(from("u2", "Bo Smith"), team), initials(from("u2"), team)]).toEqual(["BS", "S"])
})
