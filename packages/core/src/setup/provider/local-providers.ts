import { get } from "node:http"
import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { ModelInfo, ModelRef, ProviderInfo } from "../../ground/schema/index.ts"
import { isLoopbackURL } from "../config/loopback.ts"
import type { Config } from "../config/schema.ts"
import { findModel } from "./model-choice.ts"
import type { FoundModel } from "./remote-providers.ts"
import { callShaping } from "./shape-model.ts"

interface LocalProviders {
  ids: string[]
  /** Waits for the current check (at most its timeout). Servers that the config sets up itself are left out. */
  list(config: Config): Promise<ProviderInfo[]>
  /** Null when the provider is not a local server. @throws model_not_found, no_model_available */
  find(ref: ModelRef, config: Config): Promise<FoundModel | null>
  refresh(): Promise<void>
}

/** Model servers on this machine. The first check starts at once, in the background. */
export function createLocalProviders(servers: readonly LocalServer[], probeMs?: number): LocalProviders {
  const look = () => Promise.all(servers.map((server) => probeLocalServer(server, probeMs)))
  let found = look()
  const provider = async (id: string) => (await found).find((item) => item.id === id)
  return {
    ids: servers.map(({ id }) => id),
    list: async (config) => (await found).filter(({ id }) => config.provider?.[id] === undefined),
    async find(ref, config) {
      const id = ref.providerID
      if (!servers.some((server) => server.id === id) || config.provider?.[id]) return null
      const known = await provider(id)
      // The server or the model may have appeared since the last check.
      if (!known?.models.some((model) => model.id === ref.modelID)) found = look()
      const current = await provider(id)
      if (!current?.baseURL) return null
      if (!current.connected) {
        const absent = `${current.name} does not answer at ${current.baseURL}; start it and try again.`
        throw new DocketError("no_model_available", current.problem ?? absent)
      }
      const info = findModel(ref, current.name, current.models)
      const npm = "@ai-sdk/openai-compatible"
      const { baseURL } = current
      const shaping = callShaping(undefined, { id: info.id, served: info.id, npm, baseURL })
      const settings = {
        package: null,
        account: null,
        providerID: id,
        npm,
        modelID: info.id,
        baseURL,
        apiKey: null,
        headers: {},
        shaping,
      }
      return { info, settings, options: {}, variants: {} }
    },
    async refresh() {
      found = look()
      await found
    },
  }
}

/** A model server that may run on this machine. */
export interface LocalServer {
  id: string
  name: string
  /** Without a path, such as `http://127.0.0.1:11434`. */
  origin: string
  /** The path that lists its models. */
  path: string
}

const OllamaTags = z.object({
  models: z.array(z.object({ name: z.string(), details: z.object({ family: z.string() }).partial().nullish() })),
})
const OpenAIModels = z.object({ data: z.array(z.object({ id: z.string() })) })

/**
 * Longest wait for an answer (ms). A local server usually answers in a few ms, later on a busy machine. When nothing
 * listens, there is no wait.
 */
const usualProbeMs = 2_000
/** Most bytes of an answer. */
const answerLimit = 1_000_000

/** `OLLAMA_HOST` as an origin: `host`, `host:port` or a URL. Null unless it is on this machine. */
function ollamaOrigin(host: string): string | null {
  const text = /^[a-z]+:\/\//i.test(host) ? host : `http://${host}`
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  // A server that listens on all addresses is reached at this one.
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1"
  if (url.port === "" && !/:\d+/.test(host)) url.port = "11434"
  return url.protocol === "http:" && isLoopbackURL(url.href) ? url.origin : null
}

/** The local servers to look for: Ollama (at `OLLAMA_HOST` if that is on this machine) and LM Studio. */
export function knownLocalServers(env: Record<string, string | undefined>): LocalServer[] {
  const ollama = env.OLLAMA_HOST ? ollamaOrigin(env.OLLAMA_HOST) : null
  return [
    { id: "ollama", name: "Ollama", origin: ollama ?? "http://127.0.0.1:11434", path: "/api/tags" },
    { id: "lmstudio", name: "LM Studio", origin: "http://127.0.0.1:1234", path: "/v1/models" },
  ]
}

/** Uses node:http, because the first fetch of a process costs 30 ms and several MB. */
function getJSON(url: string, withinMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = get(url, { signal: AbortSignal.timeout(withinMs), agent: false }, (response) => {
      if (response.statusCode !== 200) {
        request.destroy(new Error(`the answer is ${response.statusCode}`))
        return
      }
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (chunk: string) => {
        text += chunk
        if (text.length > answerLimit) request.destroy(new Error("the answer is too long"))
      })
      response.on("error", reject)
      response.on("end", () => {
        try {
          resolve(JSON.parse(text))
        } catch (error) {
          reject(error)
        }
      })
    })
    request.on("error", reject)
  })
}

/** Names of models for embeddings or speech instead of chat, and Ollama's families of such models. */
const otherNames = /embed|rerank|whisper|tts|minilm|paraphrase|(?:^|[/-])(?:bge|e5|gte)(?:[-:.]|$)/i
const otherFamilies = /bert/i

/** @throws z.ZodError when another kind of server answered */
function chatModels(answer: unknown): string[] {
  const ollama = OllamaTags.safeParse(answer)
  const all = ollama.success
    ? ollama.data.models.filter(({ details }) => !otherFamilies.test(details?.family ?? "")).map(({ name }) => name)
    : OpenAIModels.parse(answer).data.map(({ id }) => id)
  return all.filter((name) => !otherNames.test(name))
}

/** Asks one server for its models; an absent server is returned as a provider that is not connected. Never rejects. */
async function probeLocalServer(server: LocalServer, withinMs = usualProbeMs): Promise<ProviderInfo> {
  const names = await getJSON(server.origin + server.path, withinMs)
    .then(chatModels)
    .catch(() => null)
  const models = (names ?? []).map(
    (name): ModelInfo => ({
      id: name,
      providerID: server.id,
      name,
      limit: { context: 0, output: 0 },
      cost: null,
      reasoning: false,
      toolCall: true,
      variants: [],
      rehearsal: false,
    }),
  )
  return {
    id: server.id,
    name: server.name,
    source: names === null ? "none" : "local",
    env: [],
    connected: models.length > 0,
    baseURL: `${server.origin}/v1`,
    models,
    problem:
      names !== null && models.length === 0 ? `${server.name} runs but has no chat model; load one there.` : null,
  }
}
