import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { rehearsalLoader } from "../../../engine/rehearsal/load-rehearsal.ts"
import type { Config } from "../../config/schema.ts"
import { createProviders, type Providers } from "../create-providers.ts"

let dataDirectory: string
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "docket-models-"))
})
afterEach(() => rm(dataDirectory, { recursive: true }))

const providers = (env: Record<string, string> = {}) =>
  createProviders({ dataDirectory, env, localServers: [], loadRehearsal: rehearsalLoader(0) })

const named = (models: object) => ({ name: "file", text: JSON.stringify(models) })
const { signal } = new AbortController()

async function find(from: Providers, config: Config, providerID: string, modelID: string) {
  const [provider] = await from.catalogue.list(config, providerID)
  return provider?.models.find(({ id }) => id === modelID)
}

test("without a connected provider, models of 47 are known", async () => {
  const all = await providers().catalogue.list({})
  expect(all.length).toBeGreaterThanOrEqual(47)
  expect(all.filter(({ connected }) => connected)).toEqual([])
  expect(all.find(({ id }) => id === "groq")?.models.length).toBeGreaterThan(5)
})

test("Docket's own catalogue wins, in the package and in a refreshed copy", async () => {
  const own = await find(providers(), {}, "openai", "gpt-5")
  expect(own).toMatchObject({ source: "llm-zoo", cost: { input: 1.25, output: 10 } })
  const later = providers()
  const models = {
    "gpt-5": { cost: { input: 99, output: 99 } },
    "gpt-99": { cost: { input: 7, output: 8 }, limit: { context: 5, output: 6 } },
  }
  await later.catalogue.refresh(named({ openai: { models } }), signal)
  expect(await find(later, {}, "openai", "gpt-5")).toEqual(own)
  expect(await find(later, {}, "openai", "gpt-99")).toMatchObject({ source: "refreshed", cost: { input: 7 } })
})

test("a model that only a refreshed catalogue knows can be chosen", async () => {
  const some = providers({ OPENAI_API_KEY: "k" })
  const ref = { providerID: "openai", modelID: "gpt-99" }
  await expect(some.resolve(ref, {})).rejects.toMatchObject({ code: "model_not_found" })
  const model = { cost: { input: 7, output: 8 }, limit: { context: 500, output: 60 } }
  await some.catalogue.refresh(named({ openai: { models: { "gpt-99": model } } }), signal)
  expect((await some.resolve(ref, {})).info).toMatchObject({
    limit: { context: 500, output: 60 },
    // The price of cached tokens is not known: none is counted for less than its input.
    cost: { input: 7, output: 8, cacheRead: 7, cacheWrite: 7 },
  })
  expect((await some.defaultModel({})).modelID).not.toBe("gpt-99")
})

test("a configured model has the catalogue's facts below its own", async () => {
  const options = { baseURL: "http://127.0.0.1:9/v1" }
  const config: Config = {
    provider: {
      mistral: { options, models: { "mistral-large-latest": { limit: { output: 5 } }, strange: {} } },
      groq: { options },
    },
  }
  const some = providers()
  const list = await some.list(config)
  const mistral = list.find(({ id }) => id === "mistral")
  expect(mistral?.models).toMatchObject([
    { id: "mistral-large-latest", limit: { context: 131_072, output: 5 }, cost: { input: 2, output: 6 } },
    { id: "strange", limit: { context: 0, output: 0 }, cost: null },
  ])
  const groq = list.find(({ id }) => id === "groq")?.models.map(({ id }) => id)
  expect(groq).toContain("llama-3.3-70b-versatile")
  // It answers yes or no to what others wrote, and calls no tools.
  expect(groq).not.toContain("meta-llama/llama-guard-4-12b")
  expect(await find(some, config, "mistral", "strange")).toMatchObject({
    source: "configuration",
    limit: { context: null, output: null },
    cost: null,
    inputs: null,
  })
})

test("a thinking model of the catalogue is sent no options unasked", async () => {
  const options = { baseURL: "http://127.0.0.1:9/v1" }
  const resolved = async (models: { reasoning?: boolean }) => {
    const config: Config = { provider: { deepseek: { options, models: { "deepseek-reasoner": models } } } }
    return providers().resolve({ providerID: "deepseek", modelID: "deepseek-reasoner" }, config)
  }
  expect(await resolved({})).toMatchObject({ info: { reasoning: true, variants: [] }, options: {}, variants: {} })
  expect((await resolved({ reasoning: true })).options).toEqual({ reasoningEffort: "medium" })
})

test("usable providers are listed first, an unknown one never", async () => {
  const some = providers({ GEMINI_API_KEY: "k" })
  const [first] = await some.catalogue.list({})
  expect(first).toMatchObject({ id: "google", connected: true })
  expect(await some.catalogue.list({}, "nobody")).toEqual([])
})
