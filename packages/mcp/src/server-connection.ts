import { pathToFileURL } from "node:url"
import { type ProgramLog, withLast } from "@docket/core/program-log"
import type { Timers } from "@docket/core/timers"
import { inSpan, type Span, type Trace } from "@docket/core/trace"
import {
  type CallToolResult,
  Client,
  type ElicitRequestURLParams,
  type ElicitResult,
  type GetPromptResult,
  type LoggingLevel,
  type Progress,
  type ReadResourceResult,
  SdkError,
  SdkErrorCode,
  type Transport,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/client"
import { z } from "zod"
import { callAsTask } from "./call-task.ts"
import { type CallLimits, type CallTime, createCallTime } from "./call-time.ts"
import type { AskedValues } from "./complete-prompt.ts"
import type { Asker } from "./create-asker.ts"
import { keptTools } from "./kept-tools.ts"
import { listPages } from "./list-pages.ts"
import { plain } from "./plain-text.ts"
import { createListRefresh } from "./refresh-list.ts"
import { createResourceList } from "./resource-list.ts"
import type { ListedResources } from "./resource-tool.ts"
import { serverSchemas } from "./schema-check.ts"
import { readServerPrompt } from "./server-prompt.ts"
import type { ServerTool } from "./server-tool.ts"
import type { KnownServer } from "./tool-cache.ts"
import { wordsOf } from "./words-of.ts"

/** ms; the SDK's own limits do not know that a person is asked meanwhile, so that they never count. */
const never = 2 ** 31 - 1
/** Characters of what a server says of its use. */
const longestInstructions = 2_000
/** ms in which a server says whether it knows the newer protocol; the older ones do not answer. */
const probeMs = 5_000

export interface ConnectionDeps {
  timers: Timers
  /** Monotonic ms. */
  now(): number
  trace: Trace
}

export interface ConnectOptions {
  /** As the configuration names it. */
  name: string
  /** Absolute. */
  worktree: string
  startMs: number
  /** From which level on it logs; what it does by itself unless set. */
  logLevel: LoggingLevel | undefined
  log: ProgramLog
  /** Only the older handshake, for servers that end at a request before it. */
  isOld: boolean
  /** It is reached over a network. */
  isRemote: boolean
  /** The server says that its tools or prompts are others now. */
  onChange(known: KnownServer): void
  /** The server says that a resource has changed that it was asked to watch. */
  onResource(uri: string): void
  /** Tells how the server ended, once it has. */
  howItEnded(): Promise<ServerEnd>
  signal: AbortSignal
}

export interface ServerEnd {
  /** As in "The server …". */
  how: string
  /** What it wrote last. */
  last: readonly string[]
}

export interface CallOptions {
  /** Answers what the server asks meanwhile. */
  asker: Asker
  signal: AbortSignal
  limits: CallLimits
  onProgress(progress: Partial<Pick<Progress, "progress" | "total" | "message">>): void
}

/** A server that is connected. */
export interface ServerConnection {
  /** What the server said of itself at the start. */
  known: KnownServer
  /** @throws Error in words for the model */
  call(tool: ServerTool, args: Record<string, unknown>, options: CallOptions): Promise<CallToolResult>
  prompt(name: string, values: Record<string, string>, signal: AbortSignal): Promise<GetPromptResult>
  resources(signal: AbortSignal): Promise<ListedResources>
  /** The same for somebody who types: as it was a moment ago. */
  resourcesLately(signal: AbortSignal): Promise<ListedResources>
  /** Asks to be told when a resource changes. Whether the server will. */
  watch(uri: string, signal: AbortSignal): Promise<boolean>
  /** Values that it proposes; none where it proposes none for anything. */
  values(asked: AskedValues, signal: AbortSignal): Promise<string[]>
  resource(uri: string, signal: AbortSignal): Promise<ReadResourceResult>
  /** Resolves when the connection is over, with how. */
  ended: Promise<ServerEnd>
  close(): Promise<void>
}

/** Speaks with a server: the handshake, its tools, and then calls. @throws Error when it does not answer as it should */
export async function connectServer(
  deps: ConnectionDeps,
  transport: Transport,
  { name, worktree, startMs, logLevel, log, isOld, isRemote, onChange, onResource, howItEnded, signal }: ConnectOptions,
): Promise<ServerConnection> {
  const ended = Promise.withResolvers<void>()
  const options = { signal, timeout: startMs }
  // A list is asked for only where the server says that it has one.
  const read = async (): Promise<KnownServer> => {
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {}
    const list = async (kind: "tools" | "prompts", isThere: boolean) =>
      isThere ? await listPages(client, { method: `${kind}/list`, key: kind }, options) : []
    const listedTools = await list("tools", tools !== undefined)
    // What it says to people is not worth a failure.
    const listedPrompts = await list("prompts", prompts !== undefined).catch((error: unknown) => {
      log.add(`[Docket] Its prompts could not be read: ${wordsOf(error)}`)
      return []
    })
    return {
      tools: keptTools(listedTools, log),
      prompts: listedPrompts.flatMap((prompt) => readServerPrompt(prompt) ?? []),
      hasResources: resources !== undefined,
      instructions: plain(client.getInstructions() ?? "").slice(0, longestInstructions) || null,
    }
  }
  const refresh = createListRefresh(deps, async () => {
    try {
      onChange(await read())
    } catch (error) {
      log.add(`[Docket] Its lists could not be read again: ${wordsOf(error)}`)
    }
  })
  const readResources = async (within: { signal?: AbortSignal; timeout: number }): Promise<ListedResources> => {
    const list = async (method: string, key: string) => listPages(client, { method, key }, within)
    const [resources, templates] = await Promise.all([
      list("resources/list", "resources"),
      list("resources/templates/list", "resourceTemplates").catch(() => []),
    ])
    return {
      resources: resources.flatMap((one) => Resource.safeParse(one).data ?? []),
      templates: templates.flatMap((one) => Template.safeParse(one).data ?? []),
    }
  }
  const resourceList = createResourceList(deps, () => readResources({ timeout: startMs }))
  const changed = { autoRefresh: false, debounceMs: 0, onChanged: refresh.changed }
  const client = new Client(
    { name: "docket", title: "Docket", version: "1.0.0" },
    {
      // Only what is answered.
      capabilities: { roots: {}, sampling: {}, elicitation: { form: { applyDefaults: true }, url: {} } },
      versionNegotiation: isOld
        ? { mode: "legacy" }
        : { mode: "auto", probe: { timeoutMs: Math.min(probeMs, startMs) } },
      listChanged: {
        tools: changed,
        prompts: changed,
        resources: { ...changed, onChanged: resourceList.changed },
      },
      jsonSchemaValidator: serverSchemas,
    },
  )
  client.setRequestHandler("roots/list", async () => ({
    roots: [{ uri: pathToFileURL(worktree).href, name: "project" }],
  }))
  const active = new Set<ActiveCall>()
  const asking = async <T>(ask: (asker: Asker) => Promise<T>): Promise<T> => {
    const { asker, time, span } = callOf(active)
    const release = time.hold()
    try {
      return await span.run(() => ask(asker))
    } finally {
      release()
    }
  }
  client.setRequestHandler("elicitation/create", ({ params }) => asking((asker) => asker.elicit(params)))
  client.setRequestHandler("sampling/createMessage", ({ params }) => asking((asker) => asker.sample(params)))
  client.setNotificationHandler("notifications/message", ({ params: { level, logger, data } }) =>
    log.add(
      `${level}${logger === undefined ? "" : ` (${logger})`}: ${typeof data === "string" ? data : JSON.stringify(data)}`,
    ),
  )
  client.setNotificationHandler("notifications/resources/updated", ({ params: { uri } }) => onResource(uri))
  client.onerror = (error) => log.add(`[Docket] ${error.message}`)
  client.onclose = ended.resolve
  const close = async () => {
    refresh.stop()
    await client.close()
    await transport.close()
  }
  try {
    await client.connect(transport, options)
    const known = await read()
    if (logLevel !== undefined && client.getServerCapabilities()?.logging !== undefined)
      await client.setLoggingLevel(logLevel, options).catch((error: unknown) => {
        log.add(`[Docket] It did not take the level of its log: ${wordsOf(error)}`)
      })
    const within = (asked: AbortSignal) => ({ signal: asked, timeout: startMs })
    return {
      known,
      prompt: (prompt, values, asked) => client.getPrompt({ name: prompt, arguments: values }, within(asked)),
      resources: (asked) => readResources(within(asked)),
      resourcesLately: resourceList.get,
      async watch(uri, asked) {
        if (client.getServerCapabilities()?.resources?.subscribe !== true) return false
        await client.subscribeResource({ uri }, within(asked))
        return true
      },
      async values({ of, name: variable, typed, before }, asked) {
        if (client.getServerCapabilities()?.completions === undefined) return []
        const about = { ref: of, argument: { name: variable, value: typed }, context: { arguments: before } }
        return (await client.complete(about, within(asked))).completion.values
      },
      resource: (uri, asked) => client.readResource({ uri }, within(asked)),
      ended: ended.promise.finally(refresh.stop).then(howItEnded),
      close,
      async call(tool, args, options) {
        const late = new AbortController()
        const time = createCallTime(deps, options.limits, (limit) => late.abort(limit))
        const span = deps.trace.begin("mcp", { tool: tool.name, server: name, isRemote })
        const call = { asker: options.asker, time, span }
        active.add(call)
        try {
          const protocol = client.getNegotiatedProtocolVersion()
          span.note({ ...(transport.sessionId && { sessionID: transport.sessionId }), ...(protocol && { protocol }) })
          const meta = span.run(() => deps.trace.headers())
          const calling = { tool, args, meta, options, late: late.signal, time, timers: deps.timers, howItEnded }
          const open = (address: ElicitRequestURLParams) => asking((asker) => asker.elicit(address))
          return await inSpan(span, async () => {
            const result = await callTool(client, name, calling, open)
            // What the server says of a failure is an answer of its own.
            if (result.isError === true) span.end("tool_error")
            return result
          })
        } finally {
          time.stop()
          active.delete(call)
        }
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

const described = { name: z.string(), description: z.string().optional() }
const Resource = z.object({ ...described, uri: z.string(), mimeType: z.string().optional() })
const Template = z.object({ ...described, uriTemplate: z.string() })

interface ActiveCall {
  asker: Asker
  time: CallTime
  span: Span<"mcp">
}

/** The call that the server works for when it asks. @throws Error where that is not known */
function callOf(active: ReadonlySet<ActiveCall>): ActiveCall {
  const calls = [...active]
  const last = calls.at(-1)
  if (last === undefined) throw new Error("No call is made that could be asked about.")
  if (calls.some(({ asker }) => asker.sessionID !== last.asker.sessionID))
    throw new Error("Several sessions make calls, and it is not known whose person is asked.")
  return last
}

interface Calling {
  timers: Timers
  tool: ServerTool
  args: Record<string, unknown>
  /** What the server is told of the span of the call. */
  meta: Readonly<Record<string, string>>
  options: CallOptions
  time: CallTime
  /** Aborts with the limit that the call has reached. */
  late: AbortSignal
  howItEnded: ConnectOptions["howItEnded"]
}

/** @param open asks the person to open an address */
async function callTool(
  client: Client,
  server: string,
  calling: Calling,
  open: (address: ElicitRequestURLParams) => Promise<ElicitResult>,
): Promise<CallToolResult> {
  const { options, late } = calling
  try {
    return await sendCall(client, calling).catch(async (error: unknown) => {
      if (!(error instanceof UrlElicitationRequiredError)) throw error
      for (const address of error.elicitations) {
        const { action } = await open(address)
        if (action !== "accept") throw new Error("the user did not open the address that it needs.", { cause: error })
      }
      return sendCall(client, calling)
    })
  } catch (error) {
    options.signal.throwIfAborted()
    if (late.aborted) throw new Error(`The MCP server "${server}" ${lateWords(options.limits, late)}`, { cause: error })
    if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) {
      const { how, last } = await calling.howItEnded()
      const said = `The MCP server "${server}" ${how} before it had answered. Unless it was removed, the next call starts it again.`
      throw new Error(withLast(said, last), { cause: error })
    }
    throw new Error(`The MCP server "${server}" refused the call: ${wordsOf(error)}`, { cause: error })
  }
}

function lateWords({ silentMs, totalMs }: CallLimits, late: AbortSignal): string {
  if (late.reason === "silentMs") return `was silent for ${silentMs / 1_000} seconds, and the call was given up.`
  return `told of progress for ${totalMs / 1_000} seconds without an answer, and the call was given up. "total_timeout" of its entry lets a call take longer.`
}

async function sendCall(
  client: Client,
  { tool, args, meta, options, time, late, timers }: Calling,
): Promise<CallToolResult> {
  const { name, inputSchema, outputSchema, isTask } = tool
  const signal = AbortSignal.any([options.signal, late])
  const onStatus = (message: string) => {
    time.heard()
    options.onProgress({ message })
  }
  const call = { name, arguments: args, ...(Object.keys(meta).length > 0 && { _meta: meta }) }
  if (isTask) return callAsTask(client, call, { timers, signal, timeout: never, onStatus })
  return client.callTool(call, {
    signal,
    timeout: never,
    onprogress(progress) {
      time.heard()
      options.onProgress(progress)
    },
    // As it was listed: the result is checked by what was promised.
    toolDefinition: {
      name,
      inputSchema: { ...inputSchema, type: "object" },
      ...(outputSchema && { outputSchema: { ...outputSchema, type: "object" } }),
    },
  })
}
