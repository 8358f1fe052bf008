import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { z } from "zod"
import { modelOptions } from "../../engine/prompt/model-options.ts"
import { rehearsalLoader } from "../../engine/rehearsal/load-rehearsal.ts"
import type { Config } from "../config/schema.ts"
import { createProviders, type Providers } from "./create-providers.ts"
import { parseModelRef } from "./model-choice.ts"

let server: Server
let dataDirectory: string
let providers: Providers
let config: Config
const requests: { body: Record<string, unknown>; headers: Record<string, unknown> }[] = []

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = z.record(z.string(), z.unknown()).parse(JSON.parse(await text(request)))
    requests.push({ body, headers: request.headers })
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"seen"}}')
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("no port")
  const options = { baseURL: `http://127.0.0.1:${address.port}/v1`, apiKey: "k" }
  config = {
    provider: {
      anthropic: { options, models: { "glm-5": { reasoning: true }, "claude-next": { reasoning: true } } },
      openai: { options, models: { "our-thinker": { reasoning: true } } },
      google: { options },
      lab: {
        npm: "@ai-sdk/openai-compatible",
        options,
        models: {
          thinker: {
            reasoning: true,
            options: { top_k: 3 },
            variants: {
              high: { chat_template_kwargs: { deep: true } },
              turbo: { reasoningEffort: "turbo" },
              low: false,
            },
          },
          plain: {},
        },
      },
    },
  }
  dataDirectory = await mkdtemp(join(tmpdir(), "docket-thinking-"))
  providers = createProviders({ dataDirectory, env: {}, localServers: [], loadRehearsal: rehearsalLoader() })
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(dataDirectory, { recursive: true })
})

/** What a call of the loop sends for this model. */
async function wire(name: string, variant: string | null = null, agentOptions: Record<string, unknown> = {}) {
  const model = parseModelRef(name)
  const resolved = await providers.resolve(model, config)
  const agent = { temperature: null, topP: null, options: agentOptions }
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }]
  await expect(
    resolved.model.doStream({ prompt, ...modelOptions({ agent, model, variant }, resolved) }),
  ).rejects.toThrow()
  const sent = requests.pop()
  if (!sent) throw new Error("nothing was sent")
  return sent
}
const bodyOf = async (...call: Parameters<typeof wire>) => (await wire(...call)).body
const variantsOf = async (name: string) => (await providers.resolve(parseModelRef(name), config)).info.variants

describe("Anthropic's wire", () => {
  it("asks for adaptive thinking with text, at the variant's effort", async () => {
    const body = await bodyOf("anthropic/claude-sonnet-5")
    expect(body.thinking).toEqual({ type: "adaptive", display: "summarized" })
    expect(body.output_config).toBeUndefined()
    expect(await bodyOf("anthropic/claude-sonnet-5", "max")).toMatchObject({
      thinking: { type: "adaptive" },
      output_config: { effort: "max" },
    })
    expect((await bodyOf("anthropic/claude-sonnet-5", "none")).thinking).toEqual({ type: "disabled" })
    expect(await variantsOf("anthropic/claude-sonnet-5")).toEqual(["none", "low", "medium", "high", "xhigh", "max"])
    expect((await bodyOf("anthropic/claude-next", "high")).output_config).toEqual({ effort: "high" })
  })

  it("offers no off switch or effort that a model does not support", async () => {
    expect(await variantsOf("anthropic/claude-opus-5-5")).toEqual(["low", "medium", "high", "xhigh", "max"])
    expect(await variantsOf("anthropic/claude-opus-4-6")).toEqual(["none", "low", "medium", "high", "max"])
  })

  it("gives older models a thinking budget with room for the answer", async () => {
    const { body, headers } = await wire("anthropic/claude-haiku-4-5")
    expect(body.thinking).toEqual({ type: "enabled", budget_tokens: 10_000 })
    expect(body.max_tokens).toBe(42_000)
    expect(headers["anthropic-beta"]).toContain("interleaved-thinking-2025-05-14")
    expect((await bodyOf("anthropic/claude-haiku-4-5", "max")).thinking).toEqual({
      type: "enabled",
      budget_tokens: 32_000,
    })
    expect((await wire("anthropic/glm-5")).headers["anthropic-beta"] ?? "").not.toContain("interleaved")
  })
})

describe("OpenAI's wire", () => {
  it("stores nothing there, asks for effort and summary, returns encrypted reasoning", async () => {
    expect(await bodyOf("openai/gpt-6-sol")).toMatchObject({
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "medium", summary: "auto" },
    })
    expect((await bodyOf("openai/gpt-6-sol", "max")).reasoning).toEqual({ effort: "max", summary: "auto" })
    expect((await bodyOf("openai/gpt-5.2", "none")).reasoning).toEqual({ effort: "none" })
    expect((await bodyOf("openai/gpt-5-pro")).reasoning).toEqual({ summary: "auto" })
  })

  it("also works for configured models, and asks no reasoning of plain ones", async () => {
    expect((await bodyOf("openai/our-thinker", "high")).reasoning).toEqual({ effort: "high", summary: "auto" })
    const plain = await bodyOf("openai/gpt-4.1")
    expect(plain).toMatchObject({ store: false })
    expect(plain).not.toHaveProperty("reasoning")
    expect(plain).not.toHaveProperty("include")
    expect(await variantsOf("openai/gpt-4.1")).toEqual([])
  })

  it.each([
    ["o3", ["low", "medium", "high"]],
    ["gpt-5", ["minimal", "low", "medium", "high"]],
    ["gpt-5.1", ["none", "low", "medium", "high"]],
    ["gpt-5.4-mini", ["none", "low", "medium", "high", "xhigh"]],
    ["gpt-5.3-codex", ["low", "medium", "high", "xhigh"]],
    ["gpt-5.5-pro", ["medium", "high", "xhigh"]],
    ["gpt-6-luna", ["low", "medium", "high", "xhigh", "max"]],
  ])("offers for %s the efforts that it takes", async (id, efforts) => {
    expect(await variantsOf(`openai/${id}`)).toEqual(efforts)
  })
})

describe("Google's wire", () => {
  const thinking = async (...call: Parameters<typeof wire>) =>
    z.object({ thinkingConfig: z.unknown() }).parse((await bodyOf(...call)).generationConfig).thinkingConfig

  it("shows thoughts, and takes a level for Gemini 3 and later", async () => {
    expect(await thinking("google/gemini-3.8-flash")).toEqual({ includeThoughts: true })
    expect(await thinking("google/gemini-3.8-flash", "low")).toEqual({ includeThoughts: true, thinkingLevel: "low" })
    expect(await variantsOf("google/gemini-3.1-pro-preview")).toEqual(["low", "medium", "high"])
    expect(await variantsOf("google/gemini-3.5-flash")).toEqual(["minimal", "low", "medium", "high"])
  })

  it("takes a budget for Gemini 2.5, which only Flash can do without", async () => {
    expect(await thinking("google/gemini-2.5-flash")).toEqual({ includeThoughts: true, thinkingBudget: -1 })
    expect(await thinking("google/gemini-2.5-flash", "none")).toEqual({ includeThoughts: false, thinkingBudget: 0 })
    expect(await thinking("google/gemini-2.5-pro", "max")).toEqual({ includeThoughts: true, thinkingBudget: 32_000 })
    expect(await variantsOf("google/gemini-2.5-pro")).toEqual(["low", "medium", "high", "max"])
  })
})

describe("the wire of an OpenAI-compatible server", () => {
  it("asks for effort only when docket.json declares a reasoning model", async () => {
    expect(await bodyOf("lab/thinker")).toMatchObject({ reasoning_effort: "medium", top_k: 3 })
    expect(await bodyOf("lab/plain")).not.toHaveProperty("reasoning_effort")
  })

  it("takes variants of docket.json: changed, new and taken away", async () => {
    expect(await variantsOf("lab/thinker")).toEqual(["medium", "high", "turbo"])
    expect(await bodyOf("lab/thinker", "high")).toMatchObject({
      reasoning_effort: "high",
      chat_template_kwargs: { deep: true },
    })
    expect(await bodyOf("lab/thinker", "turbo")).toMatchObject({ reasoning_effort: "turbo", top_k: 3 })
  })

  it("applies model options over defaults, then the agent's, then the variant's", async () => {
    const agent = { reasoningEffort: "minimal", top_k: 7, seed_of: "agent" }
    expect(await bodyOf("lab/thinker", null, agent)).toMatchObject({ reasoning_effort: "minimal", top_k: 7 })
    expect(await bodyOf("lab/thinker", "high", agent)).toMatchObject({ reasoning_effort: "high", top_k: 7 })
  })

  it("refuses an unknown variant and names those there are", async () => {
    const model = parseModelRef("lab/thinker")
    const resolved = await providers.resolve(model, config)
    expect(() => modelOptions({ agent: undefined, model, variant: "hihg" }, resolved)).toThrow(
      'The model lab/thinker has no variant "hihg". Did you mean "high"? It has medium, high, turbo.',
    )
    const plain = await providers.resolve(parseModelRef("lab/plain"), config)
    expect(() => modelOptions({ agent: undefined, model, variant: "high" }, plain)).toThrow(
      "It has none; leave it out.",
    )
  })
})
