import { expect, test } from "vitest"
import { originOf, stateOf, useOf } from "./extension-messages.ts"

const use = { calls: 0, failures: 0, ms: 0, used: null, failure: null }

test("the use of an extension is told in calls, failures and time", () => {
  expect(useOf({ use })).toBe("Not used in the last 7 days")
  expect(useOf({ use: { ...use, calls: 1, ms: 0.2 } })).toBe("1 call in 7 days, 1 ms each")
  expect(useOf({ use: { ...use, calls: 4, failures: 2, ms: 12_000 } })).toBe("4 calls, 2 failed in 7 days, 3.0 s each")
})

test("an origin is shown from the project on, with its line", () => {
  expect(originOf({ origin: { file: "/work/a/.mcp.json", line: 3 } }, "/work/a")).toBe(".mcp.json:3")
  expect(originOf({ origin: { file: "/work/ab/docket.json", line: null } }, "/work/a")).toBe("/work/ab/docket.json")
  expect(originOf({ origin: null }, "/work/a")).toBeNull()
})

test("what a project brings waits for trust, the user's own for consent", () => {
  const ref = { kind: "hook", name: "lint", projectID: null } as const
  expect(stateOf({ state: "waits", ref, error: null }).label).toBe("Waits for your consent")
  expect(
    stateOf({ state: "waits", ref: { ...ref, projectID: "prj_00000000000000000000000000" }, error: null }).label,
  ).toBe("Waits for trust")
  expect(stateOf({ state: "waits", ref, error: "It is not installed." }).label).toBe("Waits")
})
