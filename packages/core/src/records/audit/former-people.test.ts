import { expect, it } from "vitest"
import { formerPeople } from "./former-people.ts"

const removed = (person: string, name?: string) => ({
  act: "person.removed" as const,
  person: { id: "ada", name: "Ada" },
  targets: { person, ...(name !== undefined && { name }) },
})
const left = (id: string, name: string) => ({ act: "person.left" as const, person: { id, name }, targets: {} })

it("lists departed people once with their last name, without those who returned", () => {
  const entries = [left("bo", "Bo"), removed("eve", "Eve"), removed("bo", "Bob"), removed("cy", "Cy"), removed("u9")]
  expect(formerPeople(entries, [{ person: "ada" }, { person: "cy" }])).toEqual([
    { person: "bo", name: "Bo" },
    { person: "eve", name: "Eve" },
    { person: "u9", name: "u9" },
  ])
})

it("ignores other acts and entries without a person", () => {
  const made = { act: "key.made" as const, person: { id: "bo", name: "Bo" }, targets: { person: "eve" } }
  expect(formerPeople([made, { ...left("x", "X"), person: null }], [])).toEqual([])
})
