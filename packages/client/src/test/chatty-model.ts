import type { Providers } from "@docket/core"

type LanguageModel = Awaited<ReturnType<Providers["resolve"]>>["model"]
type StreamPart = Awaited<ReturnType<LanguageModel["doStream"]>>["stream"] extends ReadableStream<infer T> ? T : never

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}

/** A model that first writes a todo list, then says `words` words, one every few milliseconds. */
export function chattyProviders(words: number): Providers {
  const model: LanguageModel = {
    specificationVersion: "v4",
    provider: "chatty",
    modelId: "chatty",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("only streams")),
    doStream: async ({ prompt }) => ({ stream: stream(prompt.at(-1)?.role === "tool" ? speak(words) : plan()) }),
  }
  const ref = { providerID: "chatty", modelID: "chatty" }
  const info = {
    id: "chatty",
    providerID: "chatty",
    name: "Chatty",
    limit: { context: 1_000_000, output: 10_000 },
    cost: null,
    reasoning: false,
    toolCall: true,
    variants: [],
    rehearsal: false,
  }
  return {
    list: async () => [],
    resolve: async () => ({ info, model, npm: "chatty", options: {}, variants: {} }),
    defaultModel: async () => ref,
    smallModel: async () => ref,
    saveKey: async () => undefined,
    removeKey: async () => undefined,
    secretKeys: async () => [],
    refresh: async () => undefined,
    packages: {
      list: async () => [],
      find: async () => null,
      directoryOf: ({ name }) => name,
      lookUp: () => Promise.reject(new Error("no packages here")),
      install: () => Promise.reject(new Error("no packages here")),
      remove: async () => undefined,
    },
    catalogue: {
      list: async () => [],
      states: async () => [],
      refresh: () => Promise.reject(new Error("no catalogue here")),
    },
  }
}

function stream(parts: StreamPart[]): ReadableStream<StreamPart> {
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      const part = parts.shift()
      if (!part) return controller.close()
      await new Promise((resolve) => setTimeout(resolve, 2))
      controller.enqueue(part)
    },
  })
}

function plan(): StreamPart[] {
  const round = Math.random().toString(36).slice(2)
  // A different list each time: after three equal calls in a row, the user is asked whether the model is stuck.
  const todos = ["look", "think", "write"].map((word) => ({
    content: `${word} ${round}`,
    status: "pending",
    priority: "medium",
  }))
  return [
    { type: "stream-start", warnings: [] },
    { type: "tool-call", toolCallId: `call_${round}`, toolName: "todowrite", input: JSON.stringify({ todos }) },
    { type: "finish", usage, finishReason: { unified: "tool-calls", raw: "tool-calls" } },
  ]
}

function speak(words: number): StreamPart[] {
  return [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "0" },
    ...Array.from({ length: words }, (_, n): StreamPart => ({ type: "text-delta", id: "0", delta: `word ${n} ` })),
    { type: "text-end", id: "0" },
    { type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } },
  ]
}
