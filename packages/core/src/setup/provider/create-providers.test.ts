import { execFileSync } from "node:child_process"
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { generateText } from "ai"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { rehearsalLoader } from "../../engine/rehearsal/load-rehearsal.ts"
import type { Config } from "../config/schema.ts"
import { createProviders, type ProvidersDeps } from "./create-providers.ts"
import { knownLocalServers } from "./local-providers.ts"

let dataDirectory: string
const servers: Server[] = []
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "docket-providers-"))
})
afterEach(async () => {
  await rm(dataDirectory, { recursive: true })
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("no port")
  return `http://127.0.0.1:${address.port}`
}
const json =
  (body: unknown, seen: IncomingMessage[] = []): RequestListener =>
  (request, response) => {
    seen.push(request)
    request.resume()
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify(body))
  }
const providers = (deps: Partial<ProvidersDeps> = {}) =>
  createProviders({
    dataDirectory,
    env: {},
    localServers: [],
    // Long, so that the server is found on a slow machine too.
    localProbeMs: 60_000,
    loadRehearsal: rehearsalLoader(0),
    ...deps,
  })

describe("the default model", () => {
  it("is the rehearsal model when nothing is connected", async () => {
    expect(await providers().defaultModel({})).toEqual({ providerID: "docket", modelID: "rehearsal" })
    const { info, model } = await providers().resolve({ providerID: "docket", modelID: "rehearsal" }, {})
    expect(info.rehearsal).toBe(true)
    const { text } = await generateText({ model, prompt: "hello" })
    expect(text).toContain("rehearsal model")
  })

  it("comes from the first provider with a key: Anthropic, OpenAI, Google, config", async () => {
    const env = { GEMINI_API_KEY: "g", OPENAI_API_KEY: "o", ANTHROPIC_API_KEY: "a" }
    const config: Config = { provider: { mine: { options: { baseURL: "http://127.0.0.1:9/v1" }, models: { m: {} } } } }
    const chosen = async (deps: Partial<ProvidersDeps>) => (await providers(deps).defaultModel(config)).modelID
    expect(await chosen({ env })).toMatch(/^claude-sonnet-/)
    expect(await chosen({ env: { ...env, ANTHROPIC_API_KEY: "" } })).toMatch(/^gpt-/)
    expect(await chosen({ env: { GEMINI_API_KEY: "g" } })).toMatch(/^gemini-/)
    expect(await chosen({})).toBe("m")
    expect(await providers({ env }).defaultModel({ model: "x/y/z" })).toEqual({ providerID: "x", modelID: "y/z" })
  })

  it("for titles is a small one of the same provider", async () => {
    const small = (providerID: string, modelID: string, config: Config = {}) =>
      providers().smallModel({ providerID, modelID }, config)
    expect((await small("anthropic", "claude-opus-5-5")).modelID).toMatch(/^claude-haiku-/)
    expect(await small("mine", "m")).toEqual({ providerID: "mine", modelID: "m" })
    expect((await small("mine", "m", { small_model: "a/b" })).modelID).toBe("b")
    const gateway: Config = { provider: { anthropic: { options: { baseURL: "http://127.0.0.1:9" } } } }
    expect((await small("anthropic", "claude-opus-5-5", gateway)).modelID).toBe("claude-opus-5-5")
  })
})

describe("a configured provider", () => {
  const chat = {
    id: "1",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "hi there" } }],
  }

  it("calls an OpenAI-compatible server with its key, headers and model id", async () => {
    const seen: IncomingMessage[] = []
    const baseURL = `${await listen(json(chat, seen))}/v1`
    const config: Config = {
      provider: {
        mine: {
          name: "Mine",
          options: { baseURL, apiKey: "k1", headers: { "x-team": "t" } },
          models: {
            fast: { id: "vendor/fast-1", limit: { context: 8000, output: 500 }, cost: { input: 1, output: 2 } },
          },
        },
      },
    }
    const { info, model, npm } = await providers().resolve({ providerID: "mine", modelID: "fast" }, config)
    expect(info).toMatchObject({ limit: { context: 8000, output: 500 }, cost: { input: 1, output: 2, cacheRead: 0 } })
    expect(npm).toBe("@ai-sdk/openai-compatible")
    expect(model.modelId).toBe("vendor/fast-1")
    expect((await generateText({ model, prompt: "hi" })).text).toBe("hi there")
    expect(seen[0]?.url).toBe("/v1/chat/completions")
    expect(seen[0]?.headers).toMatchObject({ authorization: "Bearer k1", "x-team": "t" })
  })

  it("takes its input limit from config, or the catalogue with default context", async () => {
    const models = {
      mine: { limit: { context: 100_000, input: 60_000, output: 8_000 } },
      "gpt-5": { limit: { output: 16_000 } },
      "gpt-5-mini": { limit: { context: 100_000 } },
    }
    const config: Config = {
      provider: { own: { npm: "@ai-sdk/openai", options: { baseURL: "http://127.0.0.1:9/v1", apiKey: "k" }, models } },
    }
    const limitOf = async (modelID: string) =>
      (await providers().resolve({ providerID: "own", modelID }, config)).info.limit
    expect(await limitOf("mine")).toEqual({ context: 100_000, input: 60_000, output: 8_000 })
    expect(await limitOf("gpt-5")).toEqual({ context: 400_000, input: 272_000, output: 16_000 })
    expect(await limitOf("gpt-5-mini")).toEqual({ context: 100_000, output: 128_000 })
  })

  it("speaks Anthropic's and Google's protocol to another address", async () => {
    const anthropic = {
      id: "m",
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text: "from a" }],
      stop_reason: "end_turn",
      usage: { input_tokens: 1, output_tokens: 1 },
    }
    const google = { candidates: [{ content: { role: "model", parts: [{ text: "from g" }] }, finishReason: "STOP" }] }
    const config: Config = {
      provider: {
        a: {
          npm: "@ai-sdk/anthropic",
          options: { baseURL: await listen(json(anthropic)), apiKey: "k" },
          models: { "claude-sonnet-5": {} },
        },
        g: { npm: "@ai-sdk/google", options: { baseURL: await listen(json(google)), apiKey: "k" }, models: { m: {} } },
      },
    }
    const a = await providers().resolve({ providerID: "a", modelID: "claude-sonnet-5" }, config)
    expect(a.info).toMatchObject({ limit: { context: 1_000_000 }, reasoning: true, cost: null })
    expect((await generateText({ model: a.model, prompt: "hi" })).text).toBe("from a")
    const g = await providers().resolve({ providerID: "g", modelID: "m" }, config)
    expect((await generateText({ model: g.model, prompt: "hi" })).text).toBe("from g")
  })

  it("says what is wrong with it", async () => {
    const config: Config = { provider: { a: { npm: "left-pad" }, b: { models: { m: {} } } } }
    const list = await providers().list(config)
    expect(list.find(({ id }) => id === "a")?.problem).toContain("The package left-pad is not installed")
    expect(list.find(({ id }) => id === "b")?.problem).toContain("options.baseURL")
    await expect(providers().resolve({ providerID: "b", modelID: "m" }, config)).rejects.toMatchObject({
      code: "no_model_available",
    })
  })
})

describe("the name of a model", () => {
  it("that is unknown is answered with a near one and advice", async () => {
    const resolve = (providerID: string, modelID: string) =>
      providers({ env: { ANTHROPIC_API_KEY: "k" } }).resolve({ providerID, modelID }, {})
    await expect(resolve("antropic", "x")).rejects.toMatchObject({
      code: "provider_not_found",
      message: expect.stringContaining('Did you mean "anthropic"?'),
    })
    await expect(resolve("anthropic", "claude-sonet-5")).rejects.toMatchObject({
      code: "model_not_found",
      message: expect.stringContaining('"claude-sonnet-5"'),
    })
    await expect(resolve("openai", "gpt-5")).rejects.toMatchObject({
      code: "no_model_available",
      message: expect.stringContaining("set OPENAI_API_KEY, save one in Settings"),
    })
    await expect(resolve("docket", "x")).rejects.toMatchObject({ code: "model_not_found" })
  })

  it("with a date stands for the model without it", async () => {
    const { info } = await providers({ env: { OPENAI_API_KEY: "k" } }).resolve(
      { providerID: "openai", modelID: "gpt-5-2025-08-07" },
      {},
    )
    expect(info.id).toBe("gpt-5")
  })
})

describe("keys", () => {
  it("are saved owner-only, used, replaced and removed, but never listed", async () => {
    const all = providers()
    await all.saveKey("openai", " sk-saved-1 ", {})
    await all.saveKey("openai", "sk-saved-2", {})
    const file = join(dataDirectory, "auth.json")
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, "utf8")).openai.key).toBe("sk-saved-2")
    const list = await providers().list({})
    expect(list.find(({ id }) => id === "openai")).toMatchObject({ source: "saved", connected: true })
    expect(JSON.stringify(list)).not.toContain("sk-saved")
    await all.removeKey("openai", {})
    expect((await all.list({})).find(({ id }) => id === "openai")).toMatchObject({ source: "none", connected: false })
  })

  it("survive being saved at the same time", async () => {
    const all = providers()
    await Promise.all(["anthropic", "openai", "google"].map((id) => all.saveKey(id, `key-${id}`, {})))
    expect(Object.keys(JSON.parse(await readFile(join(dataDirectory, "auth.json"), "utf8"))).sort()).toEqual([
      "anthropic",
      "google",
      "openai",
    ])
  })

  it("go nowhere but to the address they were saved for", async () => {
    const all = providers()
    await all.saveKey("anthropic", "k", {})
    const moved: Config = { provider: { anthropic: { options: { baseURL: "https://elsewhere.example" } } } }
    await expect(all.resolve({ providerID: "anthropic", modelID: "claude-sonnet-5" }, moved)).rejects.toThrow(
      "saved for another address",
    )
  })

  it("are saved per address, even when projects share a provider name", async () => {
    const all = providers()
    const at = (baseURL: string): Config => ({ provider: { anthropic: { options: { baseURL } } } })
    const [one, other] = [at("https://one.example"), at("https://other.example")]
    const model = { providerID: "anthropic", modelID: "claude-sonnet-5" }
    const source = async (config: Config) => (await all.list(config)).find(({ id }) => id === "anthropic")?.source
    await all.list(one)
    await all.saveKey("anthropic", "own", {})
    await expect(all.resolve(model, one)).rejects.toThrow("saved for another address")
    await all.saveKey("anthropic", "for-one", one)
    expect([await source({}), await source(one), await source(other)]).toEqual(["saved", "saved", "none"])
    await all.removeKey("anthropic", {})
    expect([await source({}), await source(one)]).toEqual(["none", "saved"])
  })

  it("are refused when they cannot be keys, or for an unknown provider", async () => {
    await expect(providers().saveKey("openai", "two words", {})).rejects.toMatchObject({ code: "invalid_input" })
    await expect(providers().saveKey("nobody", "k", {})).rejects.toMatchObject({ code: "provider_not_found" })
  })

  it("in a pipe are reported without waiting", async () => {
    execFileSync("mkfifo", [join(dataDirectory, "auth.json")])
    const problem = (await providers().list({})).find(({ id }) => id === "openai")?.problem
    expect(problem).toContain("auth.json is a pipe, not a regular file.")
  })

  it("in a damaged file are reported and not overwritten", async () => {
    const file = join(dataDirectory, "auth.json")
    await writeFile(file, "{ broken sk-secret")
    const problem = (await providers().list({})).find(({ id }) => id === "openai")?.problem
    expect(problem).toContain("damaged")
    expect(problem).not.toContain("sk-secret")
    await expect(providers().saveKey("openai", "k", {})).rejects.toMatchObject({ code: "config_invalid" })
    expect(await readFile(file, "utf8")).toContain("broken")
  })
})

describe("local servers", () => {
  const tags = { models: [{ name: "qwen3:8b" }, { name: "nomic-embed-text" }] }

  it("are found with their chat models, and used without a key", async () => {
    const seen: IncomingMessage[] = []
    const origin = await listen((request, response) => {
      const chat = {
        id: "1",
        choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "local" } }],
      }
      json(request.url === "/api/tags" ? tags : chat, seen)(request, response)
    })
    const all = providers({ localServers: [{ id: "ollama", name: "Ollama", origin, path: "/api/tags" }] })
    const found = (await all.list({})).find(({ id }) => id === "ollama")
    expect(found).toMatchObject({
      source: "local",
      connected: true,
      baseURL: `${origin}/v1`,
      models: [{ id: "qwen3:8b" }],
    })
    expect(await all.defaultModel({})).toEqual({ providerID: "ollama", modelID: "qwen3:8b" })
    const { model } = await all.resolve({ providerID: "ollama", modelID: "qwen3:8b" }, {})
    expect((await generateText({ model, prompt: "hi" })).text).toBe("local")
    expect(seen.at(-1)?.headers.authorization).toBeUndefined()
  })

  it("are looked for again on refresh, and when one is asked for", async () => {
    let up = false
    const origin = await listen((request, response) => (up ? json(tags)(request, response) : request.destroy()))
    const all = providers({ localServers: [{ id: "ollama", name: "Ollama", origin, path: "/api/tags" }] })
    await expect(all.resolve({ providerID: "ollama", modelID: "qwen3:8b" }, {})).rejects.toThrow(
      "start it and try again",
    )
    up = true
    expect((await all.resolve({ providerID: "ollama", modelID: "qwen3:8b" }, {})).info.id).toBe("qwen3:8b")
    up = false
    await all.refresh()
    expect((await all.list({})).find(({ id }) => id === "ollama")?.connected).toBe(false)
  })

  it("that answer no more, or list no chat model, are no default", async () => {
    let answer: unknown = tags
    const origin = await listen((request, response) => (answer ? json(answer)(request, response) : request.destroy()))
    const all = providers({ localServers: [{ id: "ollama", name: "Ollama", origin, path: "/api/tags" }] })
    const chosen = async () => (await all.defaultModel({})).providerID
    expect(await chosen()).toBe("ollama")
    answer = null
    expect(await chosen()).toBe("docket")
    answer = {
      models: [{ name: "nomic-embed-text" }, { name: "bge-m3:567m" }, { name: "mine", details: { family: "bert" } }],
    }
    await all.refresh()
    expect(await chosen()).toBe("docket")
    expect((await all.list({})).find(({ id }) => id === "ollama")?.problem).toContain("has no chat model")
    answer = { models: [{ name: "bert-writer", details: { family: "llama" } }] }
    await all.refresh()
    expect(await chosen()).toBe("ollama")
  })

  it.each([
    ["an error", 500, tags],
    ["something else", 200, { hello: "world" }],
  ])("that answer with %s are not listed as connected", async (_, status, body) => {
    const origin = await listen((request, response) => {
      response.statusCode = status
      json(body)(request, response)
    })
    const all = providers({ localServers: [{ id: "ollama", name: "Ollama", origin, path: "/api/tags" }] })
    expect((await all.list({})).find(({ id }) => id === "ollama")).toMatchObject({
      source: "none",
      connected: false,
      problem: null,
    })
    expect((await all.defaultModel({})).providerID).toBe("docket")
  })

  it("that never answer hold nothing up for long", async () => {
    const open = new Set<IncomingMessage>()
    const origin = await listen((request, response) => {
      open.add(request)
      response.on("close", () => open.delete(request))
    })
    const localServers = [{ id: "lmstudio", name: "LM Studio", origin, path: "/v1/models" }]
    const all = providers({ localServers, localProbeMs: 50 })
    expect((await all.defaultModel({})).providerID).toBe("docket")
    // On a busy machine the time may be over before the request has arrived.
    await expect.poll(() => open.size).toBe(0)
  })

  it.each([
    [undefined, "http://127.0.0.1:11434"],
    ["127.0.0.1:5000", "http://127.0.0.1:5000"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["http://localhost:99/", "http://localhost:99"],
    ["gpu-box.example:11434", "http://127.0.0.1:11434"],
    ["http://127.0.0.1.evil.example", "http://127.0.0.1:11434"],
  ])("OLLAMA_HOST %s means %s", (host, origin) =>
    expect(knownLocalServers({ OLLAMA_HOST: host })[0]?.origin).toBe(origin),
  )
})
