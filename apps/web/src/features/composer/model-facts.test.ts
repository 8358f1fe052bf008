import type { ModelInfo } from "@docket/core/schema"
import { expect, test } from "vitest"
import { modelFacts } from "./model-facts.ts"

const model: ModelInfo = {
  id: "m",
  providerID: "lab",
  name: "M",
  limit: { context: 200_000, output: 64_000 },
  cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  reasoning: true,
  toolCall: true,
  inputs: ["image", "pdf"],
  variants: [],
  rehearsal: false,
}

test("a model's room, prices, sight and thought stand in one line", () => {
  expect(modelFacts(model)).toBe("200K context · 64K output · $3 in, $15 out · sees pictures · reasons")
})

test("what is not known of a model is left out", () => {
  const { inputs: _, ...blind } = model
  const unknown = { ...blind, limit: { context: 0, output: 0 }, cost: null, reasoning: false }
  expect(modelFacts(unknown)).toBeNull()
  expect(modelFacts({ ...unknown, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } })).toBe("$0 in, $0 out")
})
