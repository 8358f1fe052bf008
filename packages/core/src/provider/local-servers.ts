import { get } from "node:http"
import { z } from "zod"
import { isLoopbackURL } from "../config/loopback.ts"
import type { ModelInfo, ProviderInfo } from "../schema/index.ts"

/** A model server that may run on this machine. */
export interface LocalServer {
  id: string
  name: string
  /** Without a path, such as `http://127.0.0.1:11434`. */
  origin: string
  /** Where it lists its models. */
  path: string
}

const OllamaTags = z.object({ models: z.array(z.object({ name: z.string() })) })
const OpenAIModels = z.object({ data: z.array(z.object({ id: z.string() })) })

/** Longest wait for an answer, ms. A server that runs here answers in a few. */
const probeTimeout = 400
/** Longest answer that is read, bytes. */
const answerLimit = 1_000_000

/** `OLLAMA_HOST` as an origin: `host`, `host:port` or a URL. Null unless it is on this machine. */
function ollamaOrigin(host: string): string | null {
  const text = /^[a-z]+:\/\//i.test(host) ? host : `http://${host}`
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  // A server that listens everywhere is reached here.
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1"
  if (url.port === "" && !/:\d+/.test(host)) url.port = "11434"
  return url.protocol === "http:" && isLoopbackURL(url.href) ? url.origin : null
}

/** The servers to look for: Ollama (at `OLLAMA_HOST` when that is on this machine) and LM Studio. */
export function knownLocalServers(env: Record<string, string | undefined>): LocalServer[] {
  const ollama = env.OLLAMA_HOST ? ollamaOrigin(env.OLLAMA_HOST) : null
  return [
    { id: "ollama", name: "Ollama", origin: ollama ?? "http://127.0.0.1:11434", path: "/api/tags" },
    { id: "lmstudio", name: "LM Studio", origin: "http://127.0.0.1:1234", path: "/v1/models" },
  ]
}

/** Uses node:http, because the first fetch of a process costs 30 ms and several MB. */
function getJSON(url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = get(url, { signal: AbortSignal.timeout(probeTimeout), agent: false }, (response) => {
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

function modelNames(answer: unknown): string[] {
  const ollama = OllamaTags.safeParse(answer)
  if (ollama.success) return ollama.data.models.map(({ name }) => name)
  const openai = OpenAIModels.safeParse(answer)
  return openai.success ? openai.data.data.map(({ id }) => id) : []
}

/** Asks one server for its models; one that is not there is a provider that is not connected. Never rejects. */
export async function probeLocalServer(server: LocalServer): Promise<ProviderInfo> {
  const names = await getJSON(server.origin + server.path).then(modelNames, () => null)
  const models = (names ?? [])
    .filter((name) => !/embed|rerank|whisper/i.test(name))
    .map(
      (name): ModelInfo => ({
        id: name,
        providerID: server.id,
        name,
        limit: { context: 0, output: 0 },
        cost: null,
        reasoning: false,
        toolCall: true,
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
    problem: names !== null && models.length === 0 ? `${server.name} runs but has no model; load one there.` : null,
  }
}
