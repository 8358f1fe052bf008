import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { rehearsalLoader } from "../../engine/rehearsal/load-rehearsal.ts"
import { mergeConfigs } from "../config/merge-config.ts"
import type { Config } from "../config/schema.ts"
import { createProviders } from "./create-providers.ts"

const env = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o", GEMINI_API_KEY: "g" }
const lab = { lab: { options: { baseURL: "http://127.0.0.1:9/v1" }, models: { m: {} } } }

async function providersOf() {
  const dataDirectory = await mkdtemp(join(tmpdir(), "docket-lists-"))
  onTestFinished(() => rm(dataDirectory, { recursive: true }))
  return createProviders({ dataDirectory, env, localServers: [], loadRehearsal: rehearsalLoader(0) })
}

const idsOf = async (config: Config) => (await (await providersOf()).list(config)).map(({ id }) => id)

it.each<[what: string, config: Config, ids: string[]]>([
  ["no list", {}, ["anthropic", "openai", "google", "lab", "docket"]],
  ["what is switched off", { disabled_providers: ["openai", "lab"] }, ["anthropic", "google", "docket"]],
  ["what alone is switched on", { enabled_providers: ["lab", "google"] }, ["google", "lab", "docket"]],
  [
    "both, of which off wins",
    { enabled_providers: ["lab", "google"], disabled_providers: ["lab"] },
    ["google", "docket"],
  ],
  ["an empty list of what is on", { enabled_providers: [] }, ["docket"]],
])("the providers that are left by %s are listed", async (_what, config, ids) => {
  expect(await idsOf({ provider: lab, ...config })).toEqual(ids)
})

it("a disabled provider's models are neither resolved nor chosen", async () => {
  const providers = await providersOf()
  const off: Config = { provider: lab, disabled_providers: ["anthropic", "lab"] }
  const on: Config = { provider: lab, enabled_providers: ["openai"] }
  for (const [config, key] of [
    [off, "disabled_providers"],
    [on, "enabled_providers"],
  ] as const) {
    expect((await providers.defaultModel(config)).providerID).toBe("openai")
    const refused = providers.resolve({ providerID: "lab", modelID: "m" }, config)
    await expect(refused).rejects.toMatchObject({
      code: "provider_not_found",
      message: expect.stringContaining(`"${key}"`),
    })
    const small = await providers.smallModel(
      { providerID: "openai", modelID: "gpt-5" },
      { ...config, small_model: "lab/m" },
    )
    expect(small.providerID).toBe("openai")
  }
  expect((await providers.resolve({ providerID: "docket", modelID: "rehearsal" }, on)).info.rehearsal).toBe(true)
})

it("several files only narrow the choice of providers", () => {
  const low: Config = { disabled_providers: ["a"], enabled_providers: ["a", "b", "c"] }
  const high: Config = { disabled_providers: ["b", "a"], enabled_providers: ["c", "d"] }
  expect(mergeConfigs([low, high])).toEqual({ disabled_providers: ["a", "b"], enabled_providers: ["c"] })
  expect(mergeConfigs([low, {}])).toEqual(low)
})
