import type { ProviderInfo } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { findModel, modelGroups, modelKey, parseModelKey } from "./model-choice.ts"

const model = (providerID: string, id: string, name: string) => ({
  id,
  providerID,
  name,
  limit: { context: 0, output: 0 },
  cost: null,
  reasoning: false,
  toolCall: true,
  variants: [],
  rehearsal: false,
})

const provider = (id: string, connected: boolean, models: ProviderInfo["models"]): ProviderInfo => ({
  id,
  name: id.toUpperCase(),
  source: "environment",
  env: [],
  connected,
  baseURL: null,
  models,
  problem: null,
})

const providers = [
  provider("acme", true, [model("acme", "large-2", "Large 2"), model("acme", "org/small", "Small")]),
  provider("other", false, [model("other", "x", "X")]),
]

describe("modelGroups", () => {
  it("leaves out providers that are not connected", () => {
    expect(modelGroups(providers, "").map((group) => group.providerID)).toEqual(["acme"])
  })
  it("matches every word of the query", () => {
    expect(modelGroups(providers, "acme large")[0]?.models.map((entry) => entry.id)).toEqual(["large-2"])
    expect(modelGroups(providers, "acme huge")).toEqual([])
  })
})

describe("a model reference", () => {
  it("survives as a key when the model id has a slash", () => {
    const ref = { providerID: "acme", modelID: "org/small" }
    expect(parseModelKey(modelKey(ref))).toEqual(ref)
    expect(findModel(providers, ref)?.name).toBe("Small")
  })
  it("finds nothing when the model is gone", () => {
    expect(findModel(providers, { providerID: "gone", modelID: "x" })).toBeNull()
  })
})
