/**
 * Runs the plugins of one workspace and worktree. The first line of stdin says what to load, see `StartMessage`; answers are
 * lines of JSON on stdout. It imports nothing but Node and its neighbours: everything else is named to it.
 */
import { registerHooks } from "node:module"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"
import { type ChangedConfig, changedConfig } from "./changed-config.ts"
import { createClient } from "./client.ts"
import type { Asked, ChildPlugin, StartMessage, ToChild } from "./protocol.ts"
import { createShell } from "./shell.ts"

type Kit = typeof import("@docket/core/child-kit")
type Hooks = Record<string, unknown>

interface Loaded {
  name: string
  /** What each function of the plugin returned. */
  hooks: Hooks[]
  tools: Map<string, import("@docket/core/child-kit").ToolDefinition>
}

/** The keys that hooks of OpenCode's plugins have; what returns none of them is no plugin. */
const hookNames = [
  ...["chat.message", "chat.params", "chat.headers", "command.execute.before", "permission.ask", "shell.env"],
  ...["tool.execute.before", "tool.execute.after", "tool.definition", "event", "config", "dispose", "docket.event"],
  ...["experimental.chat.messages.transform", "experimental.chat.system.transform"],
  ...["experimental.session.compacting", "experimental.compaction.autocontinue"],
  ...["experimental.text.complete", "experimental.provider.small_model"],
]
const knownKeys = new Set([...hookNames, "tool", "auth", "provider"])

/** Standard output is for answers; what a plugin prints there goes to standard error. */
process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write
const leave = process.exit.bind(process)
process.exit = (() => {
  throw new Error("process.exit() is not for plugins.")
}) as typeof process.exit
process.on("unhandledRejection", (error) => console.error(error))
process.on("uncaughtException", (error) => console.error(error))

const plugins = new Map<number, Loaded>()
const running = new Map<number, AbortController>()
const questions = new Map<number, PromiseWithResolvers<void>>()
const responses = new Map<number, { head: PromiseWithResolvers<Response>; body: ReadableStreamDefaultController }>()
/** Sign-ins that wait for their end. */
const flows = new Map<number, (code?: string) => Promise<unknown>>()
/** `fetch` of the provider, as the loader of a plugin returned it, by the plugin's number. */
const fetches = new Map<number, typeof fetch>()
/** Answers whose next piece is waited for, by call. */
const takers = new Map<number, () => void>()
let count = 0
/** The path of the service's routes, and their address. */
let base = ""
let address = ""

/** Set by the first message, before anything else is read. */
let kit: Kit
let zod: import("@docket/core/child-kit").Zod
const { parse, stringify } = JSON

const lines = createInterface({ input: process.stdin })
lines.on("line", (line) => void receive(parse(line) as ToChild))
lines.on("close", () => leave(0))

async function receive(message: ToChild): Promise<void> {
  switch (message.op) {
    case "start":
      return start(message)
    case "call":
      return answer(message.id, message.plugin, message.asked)
    case "abort":
      running.get(message.id)?.abort()
      return
    case "more":
      takers.get(message.id)?.()
      return
    case "answer": {
      const question = questions.get(message.question)
      questions.delete(message.question)
      if (message.refused === null) question?.resolve()
      else question?.reject(new Error(message.refused))
      return
    }
    case "response": {
      const waiting = responses.get(message.request)
      // These have no body, by the standard.
      const isEmpty = [204, 205, 304].includes(message.status)
      const stream = isEmpty ? null : bodyOf(message.request)
      waiting?.head.resolve(new Response(stream, { status: message.status, headers: message.headers }))
      return
    }
    case "piece":
      responses.get(message.request)?.body.enqueue(new Uint8Array(Buffer.from(message.bytes, "base64")))
      return
    case "end": {
      const waiting = responses.get(message.request)
      responses.delete(message.request)
      if (message.error === null) waiting?.body.close()
      else {
        waiting?.head.reject(new Error(message.error))
        waiting?.body.error(new Error(message.error))
      }
      return
    }
    case "ping":
      return kit.sendLine({ pong: message.id })
    case "dispose":
      await dispose()
      return leave(0)
  }
}

async function start(message: StartMessage): Promise<void> {
  kit = (await import(message.modules.kit)) as Kit
  zod = ((await import(message.modules.zod)) as { z: typeof zod }).z
  kit.registerModuleHooks({
    zod: message.modules.zod,
    trusted: message.trusted,
    standIns: {
      "@opencode-ai/sdk": message.modules.sdk,
      "@opencode-ai/sdk/v2": message.modules.sdkV2,
      bun: new URL("bun.ts", import.meta.url).href,
    },
  })
  resolvePackages(message.plugins)
  const { directory, serverUrl } = message.input
  sendToDocket(serverUrl)
  const shell = createShell(directory)
  Object.assign(globalThis, { docketShell: shell })
  Object.assign(globalThis, { Bun: (await import("./bun.ts")).default })
  const input = {
    ...message.input,
    serverUrl: new URL(serverUrl),
    $: shell,
    // Only Docket has it: plugins find out by it where they run.
    docket: { version: 1 },
    client: createClient(
      { v1: message.modules.sdk, v2: message.modules.sdkV2 },
      { baseUrl: serverUrl, directory, fetch: request },
    ),
    experimental_workspace: {
      register() {
        throw new Error("Docket has no workspaces of plugins: experimental_workspace.register does nothing here.")
      },
    },
  }
  const told = []
  for (const plugin of message.plugins) told.push(await load(plugin, input, message.config))
  kit.sendLine({ loaded: told })
}

/** Packages are named by their number; their entry is the export \`./server\`, or else the main one. */
function resolvePackages(listed: readonly ChildPlugin[]): void {
  registerHooks({
    resolve(specifier, context, next) {
      const number = /^docket-plugin:(\d+)$/.exec(specifier)?.[1]
      const at = listed.find((plugin) => String(plugin.number) === number)?.at
      if (at === undefined || !("package" in at)) return next(specifier, context)
      const from = { ...context, parentURL: pathToFileURL(join(at.directory, "entry.mjs")).href }
      try {
        return next(`${at.package}/server`, from)
      } catch {
        return next(at.package, from)
      }
    },
  })
}

/** A plugin that calls the service by `fetch` reaches it as by its client. */
function sendToDocket(serverUrl: string): void {
  const usual = globalThis.fetch
  const { origin, pathname } = new URL(serverUrl)
  base = pathname.replace(/\/$/, "")
  address = origin + base
  globalThis.fetch = async (input, init) => {
    const target = input instanceof Request ? input.url : String(input)
    const isOwn = URL.canParse(target) && new URL(target).origin === origin
    return isOwn ? request(new Request(input, init)) : usual(input, init)
  }
}

async function load(plugin: ChildPlugin, input: object, config: object): Promise<object> {
  const { number } = plugin
  kit.sendLine({ begin: 0, plugin: number })
  try {
    const exports =
      "file" in plugin.at ? await kit.importFile(plugin.at.file) : await import(`docket-plugin:${plugin.number}`)
    const hooks = await initialised(functionsOf(exports), input, plugin.options)
    const tools = new Map(
      hooks.flatMap(({ tool }) => Object.entries(Object(tool)).filter(([, value]) => kit.isToolDefinition(value))),
    ) as Loaded["tools"]
    const loaded: Loaded = { name: plugin.name, hooks, tools }
    plugins.set(number, loaded)
    return { plugin: number, ...facts(loaded), changed: await configured(hooks, config) }
  } catch (error) {
    return { plugin: number, error: kit.textOf(error) }
  }
}

/** Lets the plugin change the configuration, which the plugins after it see. */
async function configured(hooks: readonly Hooks[], config: object): Promise<ChangedConfig> {
  const state = () => plain(config) as Record<string, unknown>
  const before = state()
  for (const own of hooks) await Object(own).config?.(config)
  return changedConfig(before, state())
}

/** The functions that a module exports to be called with the input, each once. */
function functionsOf(exports: Record<string, unknown>): ((input: object, options?: object) => unknown)[] {
  const { server } = Object(exports.default) as { server?: unknown }
  const all = typeof server === "function" ? [server] : Object.values(exports)
  const found = new Set(all.filter((one) => typeof one === "function" && !/^class\b/.test(String(one))))
  if (found.size === 0) throw new Error("It exports no plugin: a function that returns hooks.")
  return [...found] as ((input: object, options?: object) => unknown)[]
}

/** Modules export helpers too: what returns no hook counts for nothing, and may fail. */
async function initialised(
  functions: ((input: object, options?: object) => unknown)[],
  input: object,
  options: Record<string, unknown> | null,
): Promise<Hooks[]> {
  const found: Hooks[] = []
  const problems: unknown[] = []
  for (const make of functions) {
    try {
      const hooks: unknown = await make(input, options ?? undefined)
      if (typeof hooks === "object" && hooks !== null && Object.keys(hooks).some((key) => knownKeys.has(key)))
        found.push(hooks as Hooks)
    } catch (error) {
      problems.push(error)
    }
  }
  if (found.length > 0) return found
  if (problems.length > 0) throw problems[0]
  return []
}

/** What the host is told of a plugin. */
function facts({ hooks, tools }: Loaded): object {
  const described: object[] = []
  const refused: string[] = []
  for (const [id, definition] of tools) {
    try {
      described.push({ id, ...kit.describeTool(definition, zod) })
    } catch (error) {
      refused.push(`The tool "${id}" is left out: ${kit.textOf(error)}`)
    }
  }
  const auth = hooks.flatMap((own) => (own.auth ? [own.auth as Hooks] : []))[0]
  const provider = hooks.flatMap((own) => (own.provider ? [own.provider as Hooks] : []))[0]
  return {
    hooks: hookNames.filter((name) => hooks.some((own) => typeof own[name] === "function")),
    tools: described,
    refused,
    auth:
      auth === undefined
        ? null
        : plain({ provider: auth.provider, loads: typeof auth.loader === "function", methods: methodsOf(auth) }),
    provider: provider === undefined ? null : plain({ id: provider.id }),
  }
}

function methodsOf({ methods }: Hooks): object[] {
  return (Array.isArray(methods) ? methods : []).map(({ type, label, prompts, authorize }: Hooks) => ({
    type,
    label,
    authorizes: typeof authorize === "function",
    prompts: (Array.isArray(prompts) ? prompts : []).map(
      ({ type: kind, key, message, placeholder, options, when }) => ({
        ...{ type: kind, key, message, placeholder, options, when },
      }),
    ),
  }))
}

/** Plain data: functions and what repeats itself are left out. */
function plain(value: unknown): unknown {
  return value === undefined ? null : parse(stringify(value) ?? "null")
}

async function answer(id: number, number: number, asked: Asked): Promise<void> {
  const plugin = plugins.get(number)
  const stop = new AbortController()
  running.set(id, stop)
  kit.sendLine({ begin: id, plugin: number })
  try {
    if (plugin === undefined) throw new Error("This plugin is not loaded.")
    kit.sendLine({ done: id, output: plain(await done({ id, number, plugin }, asked, stop.signal)) })
  } catch (error) {
    kit.sendLine({ done: id, error: kit.textOf(error) })
  } finally {
    running.delete(id)
  }
}

async function done(
  { id, number, plugin }: { id: number; number: number; plugin: Loaded },
  asked: Asked,
  signal: AbortSignal,
): Promise<unknown> {
  switch (asked.kind) {
    case "hook":
      for (const own of plugin.hooks) {
        const hook = own[asked.hook]
        if (typeof hook === "function") await hook.call(own, asked.input, asked.output)
      }
      return asked.output
    case "tool": {
      const definition = plugin.tools.get(asked.tool)
      if (definition === undefined) throw new Error("The plugin does not have this tool any more.")
      const result = await definition.execute(kit.checkedArguments(definition, zod, asked.args), {
        ...asked.context,
        abort: signal,
        metadata: (shown: Record<string, unknown>) => kit.sendLine({ shown: id, parts: kit.boundedParts(shown) }),
        ask: (question: object) => ask(id, question),
      })
      return kit.boundedResult(result)
    }
    case "authorize":
      return authorize(plugin, asked)
    case "authorized": {
      const finish = flows.get(asked.flow)
      flows.delete(asked.flow)
      if (finish === undefined) throw new Error("This sign-in is over. Begin it again.")
      return finish(...(asked.code === null ? [] : [asked.code]))
    }
    case "auth-options":
      return authOptions(number, plugin, asked.provider)
    case "models":
      return modelsOf(plugin, asked.provider)
    case "fetch": {
      const own = fetches.get(number)
      if (own === undefined) throw new Error("The plugin has no fetch for its provider any more.")
      return relay(id, () => own(asked.url, { ...asked.init, signal }), signal)
    }
  }
}

function ask(id: number, question: object): Promise<void> {
  const given = Promise.withResolvers<void>()
  questions.set(++count, given)
  kit.sendLine({ ask: id, question: count, request: kit.withinLimit(question) })
  return given.promise
}

function authOf(plugin: Loaded): Hooks {
  const auth = plugin.hooks.flatMap((own) => (own.auth ? [own.auth as Hooks] : []))[0]
  if (auth === undefined) throw new Error("This plugin signs in to nothing.")
  return auth
}

async function authorize(plugin: Loaded, asked: Extract<Asked, { kind: "authorize" }>): Promise<unknown> {
  const method = (authOf(plugin).methods as Hooks[] | undefined)?.[asked.method]
  if (typeof method?.authorize !== "function") throw new Error("This way to sign in takes a key and nothing else.")
  const begun = (await method.authorize(asked.inputs)) as Record<string, unknown>
  if (typeof begun.callback !== "function") return begun
  const flow = ++count
  flows.set(flow, begun.callback.bind(begun) as (code?: string) => Promise<unknown>)
  return { flow, url: begun.url, instructions: begun.instructions, method: begun.method }
}

/** The saved sign-in of a provider, as the service keeps it for this plugin; nothing while nobody is signed in. */
async function savedSignIn(provider: unknown): Promise<unknown> {
  const response = await request(new Request(`${address}/auth/${encodeURIComponent(String(provider))}`))
  if (response.ok) return response.json()
  if (response.status === 404) return undefined
  throw new Error(((await response.json()) as { data: { message: string } }).data.message)
}

async function authOptions(number: number, plugin: Loaded, provider: unknown): Promise<unknown> {
  const auth = authOf(plugin)
  if (typeof auth.loader !== "function") return { options: {}, hasFetch: false, provider }
  const options = Object(await auth.loader(() => savedSignIn(auth.provider), provider)) as Record<string, unknown>
  if (typeof options.fetch === "function") fetches.set(number, options.fetch as typeof fetch)
  else fetches.delete(number)
  // Plugins change the provider that they get: what its models cost, for one.
  return { options: { ...options, fetch: undefined }, hasFetch: fetches.has(number), provider }
}

async function modelsOf(plugin: Loaded, provider: unknown): Promise<unknown> {
  const hook = plugin.hooks.flatMap((own) => (own.provider ? [own.provider as Hooks] : []))[0]
  if (typeof hook?.models !== "function") return {}
  return hook.models(provider, { auth: await savedSignIn(hook.id) })
}

/** Bytes of a piece of an answer. */
const pieceSize = 64 * 1024

/** Sends an answer on: its head, then a piece each time that one is wanted, so that no more is read than is used. */
async function relay(id: number, send: () => Promise<Response>, signal: AbortSignal): Promise<void> {
  let wanted = Promise.withResolvers<void>()
  takers.set(id, () => wanted.resolve())
  signal.addEventListener("abort", () => wanted.resolve(), { once: true })
  try {
    const { status, headers, body } = await send()
    signal.throwIfAborted()
    kit.sendLine({ head: id, status, headers: [...headers] })
    for await (const part of body ?? []) {
      const bytes = Buffer.from(part)
      for (let at = 0; at < bytes.length; at += pieceSize) {
        await wanted.promise
        // Leaving the loop cancels what is left of the body.
        signal.throwIfAborted()
        wanted = Promise.withResolvers()
        kit.sendLine({ piece: id, bytes: bytes.subarray(at, at + pieceSize).toString("base64") })
      }
    }
  } finally {
    takers.delete(id)
  }
}

/** The stream of a response's body. It exists once the head has come. */
function bodyOf(number: number): ReadableStream {
  return new ReadableStream({
    start(controller) {
      const waiting = responses.get(number)
      if (waiting !== undefined) waiting.body = controller
    },
    cancel() {
      responses.delete(number)
      kit.sendLine({ cancel: number })
    },
  })
}

async function request(given: Request): Promise<Response> {
  const number = ++count
  const head = Promise.withResolvers<Response>()
  const nothing = { enqueue() {}, close() {}, error() {} } as unknown as ReadableStreamDefaultController
  responses.set(number, { head, body: nothing })
  const { pathname, search } = new URL(given.url)
  // Some name the server alone, and not its routes for OpenCode's clients.
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname
  const body = given.body === null ? null : await given.text()
  kit.sendLine({ fetch: number, method: given.method, path: path + search, headers: [...given.headers], body })
  given.signal.addEventListener("abort", () => {
    responses.delete(number)
    kit.sendLine({ cancel: number })
    head.reject(given.signal.reason)
  })
  return head.promise
}

async function dispose(): Promise<void> {
  for (const { hooks } of plugins.values()) {
    for (const own of hooks) {
      try {
        await Object(own).dispose?.()
      } catch (error) {
        console.error(error)
      }
    }
  }
}
