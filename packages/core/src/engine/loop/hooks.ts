import { isDeepStrictEqual } from "node:util"
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import type { AskDecision, AskVerdict } from "../../acts/permission/judge.ts"
import type { AskInput } from "../../acts/permission/permission-broker.ts"
import {
  CallOutcome,
  type CommandStart,
  type PlannedText,
  type ToolOrigin,
  type ToolResult,
} from "../../acts/tool/tool.ts"
import type { ToolSchema } from "../../acts/tool/tool-schemas.ts"
import type {
  Agent,
  MessageWithParts,
  ModelRef,
  PermissionRequest,
  PermissionRuleset,
  Project,
  PromptPart,
  Session,
  TaskError,
  TokenUsage,
  Turn,
} from "../../ground/schema/index.ts"
import type { CallChange } from "../../ground/schema/tool-metadata.ts"
import type { Config } from "../../setup/config/schema.ts"
import { type CountedTime, combineTimes } from "./counted-time.ts"
import type { ExtensionText } from "./extension-text.ts"
import type { StartedTurn, TurnContext } from "./turn-context.ts"

/** The agent that receives a prompt, with the rules that apply to it. */
interface PromptTaker {
  session: Session
  /** As the session works in it. */
  project: Project
  agents: Agent[]
  /** The name of the agent. */
  name: string
  rules: PermissionRuleset
}

/** The parameters of a model call, besides its messages. */
export type CallParameters = Pick<
  LanguageModelV4CallOptions,
  "maxOutputTokens" | "temperature" | "topP" | "topK" | "providerOptions"
>

/** A tool call as a hook sees it. */
export interface HookedCall {
  turn: TurnContext
  tool: string
  callID: string
  partID: string
  /** The arguments as the tool would read them. @throws Error when it cannot */
  parse?(input: unknown): unknown
  /** Missing for Docket's own tools. */
  origin?: ToolOrigin
  /** Shows more on the call's card. */
  progress?(metadata: Record<string, unknown>): void
  /** Says on the call's card which extension changed something of it, or decided about it. */
  changed?(what: CallChange["what"], by: string, reason?: string): void
}

/** A command of a prompt, with what was typed after its name. */
interface HookedCommand {
  session: Session
  project: Project
  name: string
  arguments: string
}

/** A text that a model has written to its end. */
interface HookedText {
  turn: TurnContext
  messageID: string
  partID: string
}

/** A permission request of a call, before people answer it. */
type HookedAsk = Pick<AskInput, "session" | "messageID" | "callID" | "request"> & {
  /** What rules and grants say of it; absent when the caller did not judge it. */
  verdict?: AskVerdict
}

/** A session that begins to work. */
export interface SessionStart {
  turn: StartedTurn
  /** `new`: its first prompt. `again`: this process has not worked in it yet. `summarised`: its transcript was just cut. */
  how: "new" | "again" | "summarised"
}

/** The end of a turn, before it is stored. */
export interface TurnStop {
  /** How often extensions let this turn go on already. */
  rounds: number
}

/**
 * Where delegation and extensions can observe and change the loop. A hook that throws makes its subject fail: a prompt
 * is refused, a call fails, a step ends with the error.
 */
export interface Hooks {
  /** The parts of a command's expansion, before they are parts of its prompt. */
  command(parts: PromptPart[], command: HookedCommand): Promise<PromptPart[]>
  /** The parts of a prompt before it is queued. @throws DocketError to refuse it */
  prompt(parts: PromptPart[], taker: PromptTaker): Promise<PromptPart[]> | PromptPart[]
  /** A turn begins to work: its time counts for its tree until the work ends. */
  turnBegins(turn: Turn, session: Session, config: Config): Promise<CountedTime>
  /** The message of a prompt with its parts, before it is stored. Its ids must not change. */
  userMessage(message: MessageWithParts, turn: StartedTurn): Promise<MessageWithParts>
  /** Texts for the model beside the prompt with which the session begins to work. */
  sessionStarts(start: SessionStart): Promise<ExtensionText[]>
  /** The agent is done. Resolves with texts with which it goes on; none to end the turn. */
  beforeStop(turn: TurnContext, stop: TurnStop): Promise<ExtensionText[]>
  /** The session is idle again and its last turn is stored. */
  turnEnded(sessionID: string): Promise<void>
  /** Why the session may take no further step (null if it may), and how many tool calls it may make (or infinity). */
  stepLimit(session: Session): { limit: TaskError | null; calls: number }
  /** The usage of a step or of a summary. */
  stepUsed(session: Session, used: { tokens: TokenUsage; cost: number; toolCalls: number }): void
  /** The system prompt of a turn: at most two texts. The first one is stable, so that the provider can cache it. */
  systemPrompt(system: string[], turn: TurnContext): Promise<string[]>
  /** The transcript for one model call; what is stored stays. A plug that changes nothing returns the same list. */
  messages(messages: MessageWithParts[], turn: TurnContext): Promise<MessageWithParts[]>
  /** A text that a model has written to its end, before it is stored. */
  text(text: string, at: HookedText): Promise<string>
  /** The model for small work such as a title, in place of the one that Docket chooses. */
  smallModel(ref: ModelRef, at: { session: Session; project: Project }): Promise<ModelRef>
  /** The parameters of a model call, besides its messages. */
  parameters(parameters: CallParameters, turn: TurnContext): Promise<CallParameters>
  /** HTTP headers of a model call, in addition to those of its provider. */
  headers(headers: Record<string, string>, turn: TurnContext): Promise<Record<string, string>>
  /** The definition of a tool for the model. Its name must not change. */
  toolDefinition(tool: ToolSchema, turn: TurnContext): Promise<ToolSchema>
  /**
   * The arguments of a call, before they are validated. It is asked again about what others made of them. @throws Error to
   * fail the call, with a text for the model
   */
  beforeCall(input: unknown, call: HookedCall): Promise<unknown>
  /** The result of a successful call, before the model reads it. */
  afterCall(result: ToolResult, call: HookedCall & { input: unknown }): Promise<ToolResult>
  /** What the model reads of a call that its tool could not do. */
  callFailed(error: string, call: HookedCall & { input: unknown }): Promise<string>
  /** Decides a request that the rules do not deny. After "ask", only an answer to this very request counts. */
  permission(ask: HookedAsk): Promise<AskDecision>
  /** A person is being asked: leave for a call, or a question of the agent. */
  asked(request: PermissionRequest): void
  /** The session is about to be removed, with those below it. */
  sessionEnds(session: Session, project: Project): Promise<void>
  /**
   * Before a conversation is summarised; `isAsked` when a person wants it, with their `wish`. Resolves with why it is not to
   * be, which counts only then.
   */
  beforeCompaction(turn: TurnContext, how: { isAsked: boolean; wish: string }): Promise<string | null>
  /** The request to the model that writes the summary. */
  compaction(request: string, turn: TurnContext): Promise<string>
  /** Whether the agent goes on by itself after an automatic summary. */
  goesOn(goesOn: boolean, turn: TurnContext): Promise<boolean>
  /** The environment of a command. */
  shellEnv(env: Record<string, string>, command: HookedCall & CommandStart): Promise<Record<string, string>>
  /** The texts that a tool is about to write, and is allowed to. Each stays in its place. */
  beforeWrite(texts: readonly PlannedText[], call: HookedCall): Promise<readonly PlannedText[]>
  /**
   * A tool has written a file (a real path). Resolves with a text for the model; null for none. `before` is the text that
   * it had: null for a new file, undefined when unknown.
   */
  fileChanged(file: string, call: HookedCall, before?: string | null): Promise<string | null>
}

/** Some of the hooks: what delegation or an extension implements. */
export interface Plug extends Partial<Hooks> {
  /** Names an extension: what it changes of a call is said on the call's card. */
  name?: string
}

/** One hook of all plugs that implement it, in their order. */
function membersOf<K extends keyof Hooks>(plugs: readonly Plug[], name: K): NonNullable<Plug[K]>[] {
  return plugs.flatMap((plug) => {
    const member = plug[name]
    return member === undefined ? [] : [member.bind(plug) as NonNullable<Plug[K]>]
  })
}

/** Passes a value through all members in order. */
function through<T, A>(members: readonly ((value: T, at: A) => Promise<T> | T)[]): (value: T, at: A) => Promise<T> {
  return async (value, at) => {
    let now = value
    for (const member of members) now = await member(now, at)
    return now
  }
}

/** How often extensions are asked about the arguments of one call. */
const mostRounds = 5

/**
 * Passes the arguments of a call through all members, and again through those that have not seen them as a later one left
 * them: what is done is what each of them agreed to.
 */
function settled(members: readonly Hooks["beforeCall"][]): Hooks["beforeCall"] {
  return async (input, call) => {
    let now = input
    const seen = new Map<Hooks["beforeCall"], unknown>()
    const agrees = (member: Hooks["beforeCall"]) => seen.has(member) && isDeepStrictEqual(seen.get(member), now)
    for (let round = 0; round < mostRounds; round++) {
      for (const member of members) {
        if (agrees(member)) continue
        now = await member(now, call)
        seen.set(member, now)
      }
      if (members.every(agrees)) return now
    }
    throw new CallOutcome(
      `The call was not made: extensions changed its arguments ${mostRounds} times and did not come to an end.`,
    )
  }
}

/** A hook of a named plug says on the card when it changed something. */
function noting<T, A extends HookedCall>(
  { name }: Plug,
  hook: ((value: T, call: A) => Promise<T>) | undefined,
  what: CallChange["what"],
): ((value: T, call: A) => Promise<T>)[] {
  if (hook === undefined || name === undefined) return hook === undefined ? [] : [hook]
  const noted = async (value: T, call: A) => {
    const given = await hook(value, call)
    if (given !== value && !isDeepStrictEqual(given, value)) call.changed?.(what, name)
    return given
  }
  return [noted]
}

const strictness: readonly AskDecision[] = [null, "allow", "ask", "deny"]

/** Combines plugs into one set of hooks: values pass through them in order; the strictest limit and decision count. */
export function combineHooks(plugs: readonly Plug[]): Hooks {
  const all = <K extends keyof Hooks>(name: K) => membersOf(plugs, name)
  const [begins, ended, limits, used] = [all("turnBegins"), all("turnEnded"), all("stepLimit"), all("stepUsed")]
  const [decisions, changes] = [all("permission"), all("fileChanged")]
  return {
    command: through(all("command")),
    prompt: through(all("prompt")),
    turnBegins: async (...turn) => combineTimes(await Promise.all(begins.map((begin) => begin(...turn)))),
    async turnEnded(sessionID) {
      for (const end of ended) await end(sessionID)
    },
    async sessionStarts(start) {
      return (await Promise.all(all("sessionStarts").map((starts) => starts(start)))).flat()
    },
    async beforeStop(turn, stop) {
      return (await Promise.all(all("beforeStop").map((before) => before(turn, stop)))).flat()
    },
    asked(request) {
      for (const hear of all("asked")) hear(request)
    },
    async sessionEnds(...session) {
      for (const end of all("sessionEnds")) await end(...session)
    },
    async beforeCompaction(...turn) {
      const said = await Promise.all(all("beforeCompaction").map((before) => before(...turn)))
      return said.find((reason) => reason !== null) ?? null
    },
    stepLimit(session) {
      const said = limits.map((limit) => limit(session))
      return {
        limit: said.find(({ limit }) => limit !== null)?.limit ?? null,
        calls: Math.min(...said.map(({ calls }) => calls)),
      }
    },
    stepUsed(session, step) {
      for (const use of used) use(session, step)
    },
    userMessage: through(all("userMessage")),
    systemPrompt: through(all("systemPrompt")),
    messages: through(all("messages")),
    text: through(all("text")),
    smallModel: through(all("smallModel")),
    parameters: through(all("parameters")),
    headers: through(all("headers")),
    toolDefinition: through(all("toolDefinition")),
    beforeCall: settled(plugs.flatMap((plug) => noting(plug, plug.beforeCall?.bind(plug), "arguments"))),
    afterCall: through(plugs.flatMap((plug) => noting(plug, plug.afterCall?.bind(plug), "result"))),
    callFailed: through(all("callFailed")),
    async permission(ask) {
      const said = await Promise.all(decisions.map((decide) => decide(ask)))
      return strictness[Math.max(0, ...said.map((decision) => strictness.indexOf(decision)))] ?? null
    },
    compaction: through(all("compaction")),
    goesOn: through(all("goesOn")),
    shellEnv: through(all("shellEnv")),
    beforeWrite: through(all("beforeWrite")),
    async fileChanged(file, call, before) {
      const said: string[] = []
      // One plug may rewrite the file before the next one reads it.
      for (const change of changes) said.push((await change(file, call, before)) ?? "")
      return said.filter((text) => text !== "").join("\n") || null
    },
  }
}
