import { expect, test } from "vitest"
import { countsOf, eventGroups, eventLabels, outcomeOf, stateOf } from "./webhook-labels.ts"

const view = {
  id: "whk_1",
  name: "chat",
  url: "https://hooks.example.org/a",
  events: [],
  status: "active" as const,
  disabled: null,
  failing: null,
  since: 1,
  by: { person: "ada", workspace: "local" },
  time: { created: 1, updated: 1 },
  lacksSecret: false,
  oldSecretUntil: null,
  counts: { waiting: 0, delivered: 3, failed: 0, withheld: 1 },
}

test("a webhook's state is shown, problems first", () => {
  expect(stateOf(view)).toEqual({ words: "Active", isBad: false })
  expect(stateOf({ ...view, status: "paused" }).words).toBe("Paused")
  expect(stateOf({ ...view, failing: { since: 1 } })).toEqual({ words: "Failing", isBad: true })
  expect(stateOf({ ...view, lacksSecret: true }).words).toContain("make a new one")
  expect(stateOf({ ...view, status: "disabled", disabled: { why: "gone", at: 1 } }).words).toContain("is gone")
  expect(countsOf(view)).toBe("3 delivered this week")
  expect(countsOf({ ...view, counts: { ...view.counts, waiting: 2, failed: 1 } })).toBe(
    "2 waiting · 1 failed · 3 delivered this week",
  )
})

test("outcomeOf shows the result of a delivery", () => {
  const delivery = {
    id: "whd_1",
    webhookID: "whk_1",
    event: "session.idle" as const,
    fact: "a",
    rootID: null,
    body: "{}",
    status: "waiting" as const,
    attempts: [],
    begun: 0,
    answer: null,
    nextAt: 5,
    time: { created: 1, ended: null },
  }
  const attempt = { at: 1, ms: 5, status: 500, error: null }
  expect(outcomeOf(delivery)).toBe("Waiting")
  expect(outcomeOf({ ...delivery, attempts: [attempt] })).toBe("Waiting · answered 500")
  const failed = {
    ...delivery,
    status: "failed" as const,
    attempts: [attempt, { ...attempt, status: null, error: "a" }],
  }
  expect(outcomeOf(failed)).toBe("Failed after 2 tries · no answer")
  expect(outcomeOf({ ...delivery, status: "withheld" })).toContain("private")
})

test("every event is offered once", () => {
  expect(eventGroups.flatMap(({ events }) => events).sort()).toEqual(Object.keys(eventLabels).sort())
})
