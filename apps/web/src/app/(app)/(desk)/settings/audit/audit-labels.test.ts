import { expect, it } from "vitest"
import { accessLabel, sessionOf, subjectLabels } from "./audit-labels.ts"

const session = `ses_${"0".repeat(12)}${"A".repeat(14)}`

it("an entry's labels say what it is about, without ids", () => {
  const role = {
    act: "person.role",
    call: "team.setRole",
    targets: { person: "x1", name: "Bob" },
    facts: { role: "viewer" },
  } as const
  expect(subjectLabels(role)).toEqual(["Bob", "role viewer"])
  const kept = {
    act: "provider.changed",
    call: "provider.saveKey",
    targets: { providerID: "anthropic" },
    facts: {},
  } as const
  expect(subjectLabels(kept)).toEqual(["provider anthropic"])
  const reset = { act: "sign-in.method", call: "POST /api/auth/reset", targets: {} } as const
  expect(subjectLabels({ ...reset, facts: { passkeys: 2, secondStep: "ended" } })).toEqual([
    "2 passkeys",
    "codes of an app ended",
  ])
  expect(subjectLabels({ act: "prompted", call: "session.promptAsync", targets: { session }, facts: {} })).toEqual([])
})

it("numbers stand before what they count", () => {
  const made = { act: "key.made", call: "team.createKey", targets: { id: "k1", name: "Nightly report" } } as const
  expect(subjectLabels({ ...made, facts: { days: 90 } })).toEqual(["Nightly report", "90 days"])
  expect(subjectLabels({ ...made, facts: { days: 1 } })).toEqual(["Nightly report", "1 day"])
  expect(subjectLabels({ ...made, facts: { perMinute: 5 } })).toEqual(["Nightly report", "5 calls a minute"])
})

it("a session's visibility is told in words", () => {
  const started = { act: "session.started", call: "session.start", targets: { session } } as const
  expect(subjectLabels({ ...started, facts: { visibility: "author" } })).toEqual(["seen by its author alone"])
})

it("another person's private session is named only as private", () => {
  const prompted = { act: "prompted", call: "session.promptAsync", targets: {} } as const
  expect(subjectLabels({ ...prompted, facts: { private: true } })).toEqual(["in a private session"])
})

it("a thing without a name is named by its id", () => {
  const made = { act: "workspace.made", call: "workspace.create", targets: { id: "initech" }, facts: {} } as const
  expect(subjectLabels(made)).toEqual(["initech"])
})

it("a refused call is named, with how often it was refused", () => {
  const refused = {
    act: "call.refused",
    call: "todo.create",
    targets: {},
    facts: { capability: "todo.edit", times: 3 },
  } as const
  expect(subjectLabels(refused)).toEqual(["todo.create", "capability todo.edit", "3 times"])
})

it("the access label shows the way and the address", () => {
  expect(accessLabel({ via: "key", credential: "night bot", address: "192.0.2.1" })).toBe("key “night bot”, 192.0.2.1")
  expect(accessLabel({ via: "cli", credential: null, address: null })).toBe("command line")
})

it("an entry links to its session, unless it was removed", () => {
  expect(sessionOf({ act: "prompted", targets: { session } })).toBe(session)
  expect(sessionOf({ act: "session.removed", targets: { session } })).toBeNull()
  expect(sessionOf({ act: "sign-in", targets: {} })).toBeNull()
})

it("zero counts and a single time are left out", () => {
  const facts = { withdrawn: 0, paused: 2, times: 1 }
  expect(
    subjectLabels({ act: "person.removed", call: "team.remove", targets: { person: "x1", name: "Bob" }, facts }),
  ).toEqual(["Bob", "2 paused"])
})
