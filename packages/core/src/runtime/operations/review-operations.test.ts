import { expect, it } from "vitest"
import { createIdSource } from "../../ground/id/create-id.ts"
import { reviewOperations } from "./review-operations.ts"

it.each([
  ["", {}],
  ["Too short.", { reason: "Too short." }],
])("a verdict with reason %j has one input in route and procedure", (reason, said) => {
  const { input, rest } = reviewOperations.verdict.give
  const taskID = createIdSource()("task")
  const byProcedure = input?.parse({ taskID, verdict: "approve", ...said })
  const body = rest?.body?.parse({ verdict: "approve", reason })
  const byRoute = rest?.read({ id: taskID, number: 0, query: {}, body, by: "ci", hasSession: async () => true })
  expect(JSON.stringify(byRoute)).toBe(JSON.stringify(byProcedure))
})
