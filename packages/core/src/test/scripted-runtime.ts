import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { MockLanguageModelV4, simulateReadableStream } from "ai/test"
import type { Bounds } from "../acts/bound/bounds.ts"
import type { Sandbox } from "../acts/sandbox/sandbox.ts"
import type { StoreAway } from "../ground/event/final-writes.ts"
import { type CreateId, createIdSource } from "../ground/id/create-id.ts"
import type { Caller, FeedItem, ModelInfo, Session } from "../ground/schema/index.ts"
import { createInMemoryStore, type Store } from "../ground/store/index.ts"
import type { Trace } from "../ground/trace/trace.ts"
import type { CallerServices } from "../runtime/caller-services.ts"
import { createRuntimeWithServices } from "../runtime/create-runtime.ts"
import type { RuntimeDeps, SharedStore } from "../runtime/runtime-deps.ts"
import { noPrograms } from "../setup/config/test/no-programs.ts"
import type { Providers } from "../setup/provider/create-providers.ts"
import type { OptionSets } from "../setup/provider/option-sets.ts"
import { type RuntimeWorkspace, unsetWorkspace } from "../setup/workspace/runtime-workspace.ts"
import { asLocal, type LocalRuntime } from "./as-local.ts"

export const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}

/** The stream parts of an answer with text and optional tool calls. */
export function answer(
  text: string,
  ...calls: { tool: string; input: unknown; id?: string }[]
): LanguageModelV4StreamPart[] {
  const parts: LanguageModelV4StreamPart[] = [{ type: "stream-start", warnings: [] }]
  if (text !== "") {
    parts.push({ type: "text-start", id: "0" })
    for (const word of text.split(/(?<= )/)) parts.push({ type: "text-delta", id: "0", delta: word })
    parts.push({ type: "text-end", id: "0" })
  }
  for (const [n, call] of calls.entries()) {
    const toolCallId = call.id ?? `call_${call.tool}_${n}_${Math.random().toString(36).slice(2, 8)}`
    parts.push({ type: "tool-call", toolCallId, toolName: call.tool, input: JSON.stringify(call.input) })
  }
  const unified = calls.length > 0 ? "tool-calls" : "stop"
  parts.push({ type: "finish", usage, finishReason: { unified, raw: unified } })
  return parts
}

/** Answers one model call. It sees the session's agent in the system prompt, and the turn so far. */
export type Script = (
  options: LanguageModelV4CallOptions,
) => LanguageModelV4StreamPart[] | Promise<LanguageModelV4StreamPart[]> | ReadableStream<LanguageModelV4StreamPart>

export function lastUserText(options: LanguageModelV4CallOptions): string {
  const last = options.prompt.findLast((message) => message.role === "user")
  const texts = last?.role === "user" ? last.content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : []
  return texts.filter((text) => !text.startsWith("[DELEGATION CONTEXT]")).join("\n")
}

/** Tool results since the last user message. */
export function toolResults(options: LanguageModelV4CallOptions): string[] {
  const start = options.prompt.findLastIndex((message) => message.role === "user")
  return options.prompt
    .slice(start + 1)
    .flatMap((message) =>
      message.role === "tool"
        ? message.content.flatMap((part) =>
            part.type === "tool-result" && "value" in part.output ? [String(part.output.value)] : [],
          )
        : [],
    )
}

const info: ModelInfo = {
  id: "one",
  providerID: "scripted",
  name: "Scripted",
  limit: { context: 100_000, output: 4_000 },
  cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
  reasoning: false,
  toolCall: true,
  variants: [],
  rehearsal: false,
}

function scriptedProviders(script: Script, context: number, variants: OptionSets["variants"]): Providers {
  const model: LanguageModelV4 = new MockLanguageModelV4({
    doStream: async (options) => {
      const parts = await script(options)
      return { stream: parts instanceof ReadableStream ? parts : simulateReadableStream({ chunks: parts }) }
    },
  })
  const ref = { providerID: "scripted", modelID: "one" }
  return {
    list: async () => [],
    resolve: async ({ modelID }) => ({
      info: {
        ...info,
        limit: { ...info.limit, context },
        variants: Object.keys(variants),
        ...(modelID === "text-only" && { inputs: [] }),
      },
      model,
      npm: "scripted",
      options: {},
      variants,
    }),
    defaultModel: async () => ref,
    smallModel: async () => ref,
    saveKey: async () => {},
    removeKey: async () => {},
    secretKeys: async () => [],
    refresh: async () => {},
    packages: {
      list: async () => [],
      find: async () => null,
      directoryOf: ({ name }) => name,
      lookUp: () => Promise.reject(new Error("no packages here")),
      install: () => Promise.reject(new Error("no packages here")),
      remove: async () => {},
    },
    catalogue: {
      list: async () => [],
      states: async () => [],
      refresh: () => Promise.reject(new Error("no catalogue here")),
    },
  }
}

export interface ScriptedRuntime extends AsyncDisposable {
  runtime: LocalRuntime
  /** The services behind the operations of a caller, for tests of the services themselves. */
  servicesOf(caller: Caller): CallerServices
  store: Store
  directory: string
  session: Session
  events: FeedItem[]
  errors: unknown[]
  prompt(text: string): Promise<ReturnType<CallerServices["prompt"]["wait"]> extends Promise<infer T> ? T : never>
  messages(sessionID?: string): ReturnType<CallerServices["session"]["messages"]>
  until(match: (event: FeedItem) => boolean): Promise<FeedItem>
}

interface ScriptedOptions {
  store?: Store
  config?: object
  /** The model's context window. */
  context?: number
  directory?: string
  /** False: the script also answers requests for titles; otherwise every title is "A fine title". */
  titles?: boolean
  /** Real providers instead of the script. */
  providers?: Providers
  variants?: OptionSets["variants"]
  clock?: () => number
  /** The environment of the service; empty when left out. */
  env?: Record<string, string>
  createID?: CreateId
  sandbox?: Sandbox
  formatters?: RuntimeDeps["formatters"]
  bounds?: Bounds
  /** Directory for its data and the user's configuration, below `directory`. */
  dataDirectory?: string
  shared?: SharedStore
  vault?: RuntimeDeps["vault"]
  workspace?: RuntimeWorkspace
  /** Several people share it, in a workspace without settings. */
  isShared?: boolean
  isMember?(person: string): Promise<boolean>
  storeAway?: StoreAway
  watchStore?: RuntimeDeps["watchStore"]
  executors?: RuntimeDeps["executors"]
  extensions?: RuntimeDeps["extensions"]
  agentPrograms?: RuntimeDeps["agentPrograms"]
  programs?: RuntimeDeps["programs"]
  trace?: Trace
  timers?: RuntimeDeps["timers"]
  onLate?: RuntimeDeps["onLate"]
  /** A session of another runtime on the same store; a new one when left out. */
  session?: Session
}

/**
 * A runtime with an in-memory store and a scripted model, with a project in a temporary directory and the user's
 * `config`.
 */
export async function scriptedRuntime(script: Script, options: ScriptedOptions = {}): Promise<ScriptedRuntime> {
  const directory = options.directory ?? (await realpath(await mkdtemp(join(tmpdir(), "docket-core-"))))
  const userConfig = join(directory, ".home/.config/docket")
  await mkdir(userConfig, { recursive: true })
  if (options.config) await writeFile(join(userConfig, "docket.json"), JSON.stringify(options.config))
  const store = options.store ?? createInMemoryStore()
  const errors: unknown[] = []
  const titled: Script = (call) =>
    options.titles !== false &&
    call.prompt.some((message) => message.role === "system" && message.content.startsWith("You name coding sessions"))
      ? answer("A fine title")
      : script(call)
  const created = await createRuntimeWithServices({
    store,
    providers:
      options.providers ?? scriptedProviders(titled, options.context ?? info.limit.context, options.variants ?? {}),
    createID: options.createID ?? createIdSource(),
    clock: options.clock ?? Date.now,
    random: () => 0,
    dataDirectory: join(directory, options.dataDirectory ?? ".data"),
    home: join(directory, ".home"),
    env: options.env ?? {},
    platform: "linux",
    // A script may wait as long as its test does.
    providerTimeoutMs: 600_000,
    ...(options.shared && { shared: options.shared }),
    ...(options.vault && { vault: options.vault }),
    ...(options.workspace && { workspace: options.workspace }),
    ...(options.isShared && { workspace: { ...unsetWorkspace, isShared: true } }),
    ...(options.isMember && { isMember: options.isMember }),
    ...(options.storeAway && { storeAway: options.storeAway }),
    ...(options.watchStore && { watchStore: options.watchStore }),
    ...(options.executors && { executors: options.executors }),
    ...(options.extensions && { extensions: options.extensions }),
    ...(options.agentPrograms && { agentPrograms: options.agentPrograms }),
    programs: options.programs ?? noPrograms,
    ...(options.sandbox && { sandbox: options.sandbox }),
    ...(options.formatters && { formatters: options.formatters }),
    ...(options.bounds && { bounds: options.bounds }),
    ...(options.trace && { trace: options.trace }),
    ...(options.timers && { timers: options.timers }),
    ...(options.onLate && { onLate: options.onLate }),
    onError: (error) => errors.push(error),
  })
  const runtime = asLocal(created)
  const project = await runtime.project.open(directory)
  const session = options.session ?? (await runtime.session.create({ projectID: project.id }))
  const events: FeedItem[] = []
  const waiting = new Set<() => void>()
  const stop = new AbortController()
  const reading = (async () => {
    for await (const item of runtime.feed({ rootID: session.id, since: 0, others: false }, stop.signal)) {
      events.push(item)
      for (const wake of waiting) wake()
    }
  })().catch((error: unknown) => void errors.push(error))
  return {
    runtime,
    servicesOf: created.servicesOf,
    store,
    directory,
    session,
    events,
    errors,
    async prompt(text) {
      const turn = await runtime.prompt.submit(session.id, { parts: [{ type: "text", text }] })
      return runtime.prompt.wait(turn.id)
    },
    messages: (sessionID = session.id) => runtime.session.messages({ sessionID }),
    async until(match) {
      while (true) {
        const found = events.find(match)
        if (found !== undefined) return found
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake)
            resolve()
          }
          waiting.add(wake)
        })
      }
    },
    async [Symbol.asyncDispose]() {
      await runtime.close()
      stop.abort()
      await reading
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true })
    },
  }
}
