import { records } from "@docket/core/operations"
import { expect, it } from "vitest"
import { pickFacts } from "./pick-facts.ts"

const session = `ses_${"0".repeat(12)}${"A".repeat(14)}`
const todo = `tod_${"0".repeat(12)}${"A".repeat(14)}`

it("an audit entry keeps all ids, other fields only if named", () => {
  const rule = records("todo.edited", { targets: ["person"], facts: ["status"] })
  const input = { sessionID: session, status: "done", content: "words of a person", person: "x1", key: "secret" }
  expect(pickFacts(rule, input, { id: todo, content: "words of a person", status: "pending" })).toEqual({
    targets: { session, todo, person: "x1" },
    facts: { status: "done" },
  })
})

it("an audit entry prefers the answer to the input's same field", () => {
  const other = `ses_${"0".repeat(12)}${"B".repeat(14)}`
  const rule = records("key.made", { targets: ["id", "name"] })
  expect(
    pickFacts(rule, { id: "k0", name: " x ", sessionID: other }, { id: "k1", name: "x", sessionID: session }),
  ).toEqual({
    targets: { id: "k1", name: "x", session },
    facts: {},
  })
})

it("an audit entry separates chosen values from results, without absent fields", () => {
  const rule = records("workspace.changed", { facts: ["roots", "turns", "visibility"], results: ["opened"] })
  const answer = { roots: ["/a"], turns: 3, visibility: "author", opened: 2 }
  expect(pickFacts(rule, { roots: ["/b", "/c"], turns: null }, answer).facts).toEqual({
    roots: "/b, /c",
    turns: "unset",
    opened: 2,
  })
})

it("an audit entry takes no target from malformed input or answers", () => {
  for (const input of [undefined, null, 7, "text", [session], { sessionID: { toString: null } }])
    expect(pickFacts(records("prompted"), input, input).targets).toEqual({})
})
