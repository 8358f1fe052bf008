import type { CataloguedProvider, CatalogueState } from "@docket/core/schema"
import { expect, test } from "vitest"
import { modelLines } from "./model-lines.ts"

const model: CataloguedProvider["models"][number] = {
  id: "large",
  name: "Large",
  limit: { context: 200_000, input: null, output: 64_000 },
  cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: null },
  reasoning: true,
  toolCall: true,
  inputs: ["text", "image"],
  outputs: ["text"],
  updated: "2025-09-01",
  source: "refreshed",
}
const state: CatalogueState = {
  source: "refreshed",
  date: "2025-09-01",
  from: "/home/me/models.json",
  refreshedAt: Date.UTC(2026, 0, 2),
  providers: 1,
  problem: null,
}

test("models are listed with what is known, a dash otherwise", () => {
  const unknown = {
    ...model,
    id: "small",
    limit: { context: null, input: null, output: null },
    cost: null,
    reasoning: null,
    inputs: null,
    updated: null,
  }
  const providers = [{ id: "lab", name: "Lab", connected: true, models: [model, unknown] }]
  expect(modelLines({ catalogues: [state], providers }, "none")).toEqual([
    expect.stringMatching(/^model +context +output +\$ in\/out +\$ cache +reads +reasons +of +from$/),
    expect.stringMatching(/^lab\/large +200K +64K +3\/15 +0\.3\/- +text image +yes +2025-09-01 +refreshed$/),
    expect.stringMatching(/^lab\/small +- +- +- +- +- +- +- +refreshed$/),
    "",
    "refreshed (/home/me/models.json, taken on 2026-01-02): 1 provider, as of 2025-09-01",
  ])
})

test("a damaged copy is said in place of its date", () => {
  const lines = modelLines({ catalogues: [{ ...state, problem: "models.json is damaged." }], providers: [] }, "none")
  expect(lines).toEqual(["none", "", "models.json is damaged."])
})
