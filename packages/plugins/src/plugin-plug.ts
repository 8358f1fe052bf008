import { DocketError } from "@docket/core/error"
import type { HookedCall, Plug } from "@docket/core/hooks"
import type { MessageChange, ModelInfo, ModelRef, PromptPart, Session } from "@docket/core/schema"
import type { TurnContext } from "@docket/core/turn-context"
import { z } from "zod"
import { GivenMessage, mergeMessages, mergeParts } from "./opencode/from-opencode.ts"
import {
  toOpencodeMessage,
  toOpencodeMessages,
  toOpencodeModel,
  toOpencodePart,
  toOpencodeProvider,
} from "./opencode/to-opencode.ts"
import type { PluginEntry } from "./plugin-entries.ts"
import type { HookFailure, PluginSet } from "./plugin-set.ts"

export interface PluginPlugDeps {
  createID(kind: "message" | "part"): string
  /** Epoch ms. */
  clock(): number
  /** Null when the model is not known. */
  modelInfo(ref: ModelRef, config: TurnContext["config"]): Promise<ModelInfo | null>
  /** The plugins that count in a turn; null for none. */
  ofTurn(turn: Pick<TurnContext, "project" | "provided" | "session">): Promise<PluginSet | null>
  /** Those of a session's running turn. */
  ofSession(session: Session): Promise<PluginSet | null>
  ofProject(project: TurnContext["project"]): Promise<PluginSet | null>
  ended(sessionID: string): void
}

const Texts = z.record(z.string(), z.string())
const Shapes = {
  message: GivenMessage.omit({ info: true }).extend({ message: z.looseObject({ system: z.string().optional() }) }),
  messages: z.looseObject({ messages: z.array(GivenMessage).max(10_000) }),
  system: z.looseObject({ system: z.array(z.string()).max(100) }),
  params: z.looseObject({
    temperature: z.number().nullish(),
    topP: z.number().nullish(),
    topK: z.number().nullish(),
    maxOutputTokens: z.number().nullish(),
    options: z.record(z.string(), z.unknown()),
  }),
  headers: z.looseObject({ headers: Texts }),
  definition: z.looseObject({ description: z.string(), parameters: z.record(z.string(), z.unknown()) }),
  before: z.looseObject({ args: z.unknown() }),
  after: z.looseObject({ title: z.string(), output: z.string(), metadata: z.unknown() }),
  env: z.looseObject({ env: Texts }),
  permission: z.looseObject({ status: z.enum(["ask", "deny", "allow"]) }),
  compacting: z.looseObject({ context: z.array(z.string()), prompt: z.string().nullish() }),
  autocontinue: z.looseObject({ enabled: z.boolean() }),
  text: z.looseObject({ text: z.string() }),
  smallModel: z.looseObject({ model: z.looseObject({ id: z.string(), providerID: z.string() }).nullish() }),
  parts: z.looseObject({
    parts: z.array(z.looseObject({ id: z.string().optional(), type: z.string(), text: z.string().optional() })),
  }),
}

/** Lets the hooks of plugins see and change turns. Their outputs count as far as they have the right form. */
export function createPluginPlug(deps: PluginPlugDeps): Plug {
  /** The plugins of a turn, if one of them has the hook. */
  const withHook = async (turn: Parameters<PluginPlugDeps["ofTurn"]>[0], hook: string) => {
    const set = await deps.ofTurn(turn)
    return set !== null && (await set.has(hook)) ? set : null
  }
  return {
    ...promptHooks(deps, withHook),
    ...modelHooks(deps, withHook),
    ...callHooks(deps, withHook),
    async turnEnded(sessionID) {
      deps.ended(sessionID)
    },
  }
}

/** Says in the transcript who changed something. */
function note(
  { changed }: Pick<TurnContext, "changed">,
  what: MessageChange["what"],
  by: { changedBy: string[] },
): void {
  changed.push(...by.changedBy.map((title) => ({ what, by: `plugin ${title}` })))
}

type WithHook = (turn: Parameters<PluginPlugDeps["ofTurn"]>[0], hook: string) => Promise<PluginSet | null>

/** What is about prompts and what is stored of an answer. */
function promptHooks(deps: PluginPlugDeps, withHook: WithHook): Plug {
  return {
    async command(parts, { session, project, name, arguments: typed }) {
      const hook = "command.execute.before"
      const set = await deps.ofProject(project)
      if (set === null || !(await set.has(hook))) return parts
      const output = { parts: parts.map(shownPart) }
      const input = { command: name, sessionID: session.id, arguments: typed }
      const answer = await set.ask({ hook, input, output, shape: Shapes.parts }, { decides: true })
      if (answer.failure?.isSaid) throw new DocketError("invalid_input", stopped(answer.failure, "the command"))
      return answer.output.parts.flatMap((part) => givenPart(parts, part))
    },
    async userMessage(message, turn) {
      const hook = "chat.message"
      const set = await withHook(turn, hook)
      if (set === null || message.info.role !== "user") return message
      const { session, agent, model, variant, project } = turn
      const input = {
        sessionID: session.id,
        agent: agent.name,
        model,
        messageID: message.info.id,
        ...(variant !== null && { variant }),
      }
      const output = {
        message: toOpencodeMessage(message.info, session.directory, project.worktree) as { system?: string },
        parts: message.parts.map(toOpencodePart) as { type: string }[],
      }
      const answer = await set.ask({ hook, input, output, shape: Shapes.message })
      if (answer.changedBy.length === 0) return message
      const { system } = answer.output.message
      const parts = mergeParts(deps, message, answer.output.parts)
      const changed = answer.changedBy.map((title) => ({ what: "prompt" as const, by: `plugin ${title}` }))
      // A prompt without any part would be no prompt.
      return {
        info: { ...message.info, ...(system !== undefined && { system }), changed },
        parts: parts.length === 0 ? message.parts : parts,
      }
    },
    async text(text, { turn, messageID, partID }) {
      const hook = "experimental.text.complete"
      const set = await withHook(turn, hook)
      if (set === null) return text
      const input = { sessionID: turn.session.id, messageID, partID }
      const answer = await set.ask({ hook, input, output: { text }, shape: Shapes.text })
      note(turn, "answer", answer)
      return answer.output.text
    },
  }
}

/** What is about requests to models. */
function modelHooks(deps: PluginPlugDeps, withHook: WithHook): Plug {
  const modelOf = async ({ model, config }: Pick<TurnContext, "model" | "config">) =>
    toOpencodeModel(model, await deps.modelInfo(model, config))
  const requestOf = async (turn: TurnContext) => ({
    sessionID: turn.session.id,
    agent: turn.agent.name,
    model: await modelOf(turn),
    provider: toOpencodeProvider(turn.model),
    message: toOpencodeMessage(turn.userMessage, turn.session.directory, turn.project.worktree),
  })
  return {
    async messages(messages, turn) {
      const hook = "experimental.chat.messages.transform"
      const set = await withHook(turn, hook)
      if (set === null) return messages
      const place = { directory: turn.session.directory, worktree: turn.project.worktree }
      const output = { messages: toOpencodeMessages(messages, place) } as z.infer<typeof Shapes.messages>
      const answer = await set.ask({ hook, input: {}, output, shape: Shapes.messages })
      if (answer.changedBy.length === 0) return messages
      note(turn, "request", answer)
      const merged = mergeMessages(deps, messages, answer.output.messages)
      return merged.some(({ info }) => info.role === "user") ? merged : messages
    },
    async systemPrompt(system, turn) {
      const hook = "experimental.chat.system.transform"
      const set = await withHook(turn, hook)
      if (set === null) return system
      const input = { sessionID: turn.session.id, model: await modelOf(turn) }
      const answer = await set.ask({ hook, input, output: { system }, shape: Shapes.system })
      note(turn, "request", answer)
      // The first stays apart, so that providers cache it.
      const [first, ...others] = answer.output.system.filter((text) => text !== "")
      return [first, others.join("\n\n")].filter((text) => text !== undefined && text !== "") as string[]
    },
    async parameters(parameters, turn) {
      const hook = "chat.params"
      const set = await withHook(turn, hook)
      if (set === null) return parameters
      const { providerOptions = {}, temperature, topP, topK, maxOutputTokens } = parameters
      const [name = turn.model.providerID] = Object.keys(providerOptions)
      const output = { temperature, topP, topK, maxOutputTokens, options: { ...providerOptions[name] } }
      const answer = await set.ask({ hook, input: await requestOf(turn), output, shape: Shapes.params })
      note(turn, "request", answer)
      const { options, ...rest } = answer.output
      const numbers = Object.fromEntries(
        (["temperature", "topP", "topK", "maxOutputTokens"] as const).flatMap((key) => {
          const value = rest[key]
          return typeof value === "number" ? [[key, value]] : []
        }),
      )
      // Plain JSON, because it came through the process of the plugins.
      const own = Object.keys(options).length === 0 ? {} : { [name]: options as Record<string, never> }
      return {
        ...numbers,
        ...(Object.keys(own).length + Object.keys(providerOptions).length > 0 && {
          providerOptions: { ...providerOptions, ...own },
        }),
      }
    },
    async headers(headers, turn) {
      const hook = "chat.headers"
      const set = await withHook(turn, hook)
      if (set === null) return headers
      const answer = await set.ask({ hook, input: await requestOf(turn), output: { headers }, shape: Shapes.headers })
      note(turn, "request", answer)
      return answer.output.headers
    },
    async toolDefinition(tool, turn) {
      const hook = "tool.definition"
      const set = await withHook(turn, hook)
      if (set === null) return tool
      const output = { description: tool.description, parameters: tool.inputSchema }
      const answer = await set.ask({ hook, input: { toolID: tool.name }, output, shape: Shapes.definition })
      note(turn, "request", answer)
      return { ...tool, description: answer.output.description, inputSchema: answer.output.parameters }
    },
    async compaction(request, turn) {
      const hook = "experimental.session.compacting"
      const set = await withHook(turn, hook)
      if (set === null) return request
      const output = { context: [] as string[] } as z.infer<typeof Shapes.compacting>
      const answer = await set.ask({ hook, input: { sessionID: turn.session.id }, output, shape: Shapes.compacting })
      return [answer.output.prompt ?? request, ...answer.output.context].join("\n\n")
    },
    async goesOn(goesOn, turn) {
      const hook = "experimental.compaction.autocontinue"
      const set = await withHook(turn, hook)
      if (set === null) return goesOn
      const input = { ...(await requestOf(turn)), overflow: true }
      return (await set.ask({ hook, input, output: { enabled: goesOn }, shape: Shapes.autocontinue })).output.enabled
    },
    async smallModel(ref, { project }) {
      const hook = "experimental.provider.small_model"
      const set = await deps.ofProject(project)
      if (set === null || !(await set.has(hook))) return ref
      const input = { provider: toOpencodeProvider(ref).info }
      const { model } = (await set.ask({ hook, input, output: {}, shape: Shapes.smallModel })).output
      return model ? { providerID: model.providerID, modelID: model.id } : ref
    },
  }
}

type Asked = Parameters<NonNullable<Plug["permission"]>>[0]

/** Whether a plugin may answer "allow" in place of a person. Leaving the sandbox is another thing than the call. */
function mayAllow(isOwn: boolean, { request: { permission }, verdict = "held" }: Asked): boolean {
  if (permission === "sandbox") return false
  // What people wrote into rules is theirs, and what a project brings comes from others.
  return isOwn ? verdict !== "held" : verdict === "unset" && permission !== "doom_loop"
}

/** Calls that are remembered; none is needed for long. */
const mostCalls = 1_000

/** What is about calls of tools. */
function callHooks(deps: PluginPlugDeps, withHook: WithHook): Plug {
  /** By session and call, for what is said on its card while leave is asked for. */
  const calls = new Map<string, HookedCall>()
  const remember = (call: HookedCall) => {
    calls.set(`${call.turn.session.id} ${call.callID}`, call)
    const [oldest] = calls.keys()
    if (calls.size > mostCalls && oldest !== undefined) calls.delete(oldest)
  }
  const about = (call: { turn: TurnContext; tool: string; callID: string }) => ({
    tool: call.tool,
    sessionID: call.turn.session.id,
    callID: call.callID,
  })
  return {
    async beforeCall(args, call) {
      remember(call)
      const hook = "tool.execute.before"
      const set = await withHook(call.turn, hook)
      const present = set ?? (await deps.ofTurn(call.turn))
      for (const { entry, why } of present?.unloaded() ?? []) call.changed?.("unchecked", `plugin ${entry.title}`, why)
      if (set === null) return args
      const answer = await set.ask(
        { hook, input: about(call), output: { args }, shape: Shapes.before },
        { decides: true, settles: true },
      )
      if (answer.failure !== null) throw new Error(stopped(answer.failure, "the call"))
      for (const title of answer.changedBy) call.changed?.("arguments", `plugin ${title}`)
      return answer.changedBy.length === 0 ? args : answer.output.args
    },
    async afterCall(result, call) {
      const hook = "tool.execute.after"
      const set = await withHook(call.turn, hook)
      if (set === null) return result
      const { title, output, metadata } = result
      const input = { ...about(call), args: call.input }
      const answer = await set.ask({ hook, input, output: { title, output, metadata }, shape: Shapes.after })
      for (const by of answer.changedBy) call.changed?.("result", `plugin ${by}`)
      if (answer.changedBy.length === 0) return result
      // What Docket draws and later calls use stays its own.
      return { ...result, title: answer.output.title.slice(0, 300), output: answer.output.output }
    },
    async shellEnv(env, { turn, callID, cwd, isConfined }) {
      const hook = "shell.env"
      const set = await withHook(turn, hook)
      if (set === null) return env
      const input = { cwd, sessionID: turn.session.id, callID }
      const { output } = await set.ask({
        hook,
        input,
        output: { env: {} as Record<string, string> },
        shape: Shapes.env,
        // A variable can have a program load code, with the rights that the command has out there.
        counts: ({ isOwn }, given, before) => (isOwn || isConfined ? given : before),
      })
      return { ...env, ...output.env }
    },
    async permission(asked) {
      const { session, messageID, callID, request, verdict } = asked
      const hook = "permission.ask"
      const set = await deps.ofSession(session)
      if (set === null || !(await set.has(hook))) return null
      const { permission, patterns, metadata } = request
      const shown = typeof metadata === "function" ? {} : metadata
      const input = {
        ...{ id: callID, type: permission, sessionID: session.id, messageID, callID, metadata: shown },
        ...{ pattern: patterns.length === 1 ? patterns[0] : patterns, title: `${permission}: ${patterns.join(", ")}` },
        time: { created: deps.clock() },
      }
      const output = { status: "ask" } as z.infer<typeof Shapes.permission>
      const counts = ({ isOwn }: PluginEntry, given: typeof output, before: typeof output) => {
        // The strictest counts: nobody takes back another's denial.
        if (before.status === "deny") return before
        return given.status === "allow" && !mayAllow(isOwn, asked) ? before : given
      }
      const answer = await set.ask({ hook, input, output, shape: Shapes.permission, counts }, { decides: true })
      // A plugin that cannot be asked allows nothing: a person decides.
      if (answer.failure !== null) return "ask"
      const { status } = answer.output
      if (status !== "allow") return status === "deny" ? "deny" : null
      if (verdict === "allow") return null
      calls.get(`${session.id} ${callID}`)?.changed?.("allowed", `plugin ${answer.changedBy.at(-1)}`)
      return "allow"
    },
  }
}

function stopped({ plugin, message, isSaid }: HookFailure, what: string): string {
  return isSaid
    ? `The plugin ${plugin} stopped ${what}: ${message}`
    : `The plugin ${plugin} could not be asked about ${what}, so it was not made: ${message} Switch it off or restart it in Settings → Extensions.`
}

/** A part of a prompt as a plugin sees it, found again by its id. */
function shownPart(part: PromptPart, at: number) {
  const id = `prt_prompt_${at}`
  if (part.type === "text") return { id, type: "text", text: part.text }
  if (part.type !== "command") return { id, ...part }
  const texts = part.expansion?.pieces.map((piece) => (piece.type === "text" ? piece.text : `!\`${piece.command}\``))
  return { id, type: "text", text: texts?.join("") ?? "" }
}

function givenPart(
  parts: readonly PromptPart[],
  { id, type, text }: { id?: string | undefined; type: string; text?: string | undefined },
): PromptPart[] {
  const at = parts.findIndex((_, index) => `prt_prompt_${index}` === id)
  const before = parts[at]
  const isSame = before !== undefined && (type !== "text" || shownPart(before, at).text === text)
  if (isSame) return [before]
  return type === "text" && text !== undefined && text !== "" ? [{ type: "text", text }] : []
}
