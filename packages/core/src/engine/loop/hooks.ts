import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import type { AskDecision } from "../../acts/permission/judge.ts"
import type { AskInput } from "../../acts/permission/permission-broker.ts"
import type { ToolResult } from "../../acts/tool/tool.ts"
import type { ToolSchema } from "../../acts/tool/tool-schemas.ts"
import type {
  Agent,
  PermissionRuleset,
  PromptPart,
  Session,
  TaskError,
  TokenUsage,
  Turn,
} from "../../ground/schema/index.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { TurnContext } from "./turn-context.ts"
import { combineWork, type Work } from "./work.ts"

/** Who takes a prompt, with the rules that hold for them. */
interface PromptTaker {
  session: Session
  agents: Agent[]
  /** The agent. */
  name: string
  rules: PermissionRuleset
}

/** What a model call is told besides its messages. */
export type CallParameters = Pick<
  LanguageModelV4CallOptions,
  "maxOutputTokens" | "temperature" | "topP" | "providerOptions"
>

/** A call of a tool, as a hook sees it. */
export interface HookedCall {
  turn: TurnContext
  tool: string
  callID: string
  partID: string
}

/** A question of a call, before people decide. */
type HookedAsk = Pick<AskInput, "session" | "messageID" | "callID" | "request">

/**
 * What others than the loop may see and change on its way: delegation does, and so may extensions. What throws fails what it
 * was asked about: a prompt is refused, a call fails, a step ends with the error.
 */
export interface Hooks {
  /** The parts of a prompt before it is queued. @throws DocketError to refuse it */
  prompt(parts: PromptPart[], taker: PromptTaker): Promise<PromptPart[]> | PromptPart[]
  /** A turn begins to work: its time counts for its tree until the work ends. */
  turnBegins(turn: Turn, session: Session, config: Config): Promise<Work>
  /** The session is idle again, its last turn stored. */
  turnEnded(sessionID: string): Promise<void>
  /** Why the session may not take another step (null when it may), and how many tool calls it may make (maybe infinite). */
  stepLimit(session: Session): { limit: TaskError | null; calls: number }
  /** What a step, or a summary, used. */
  stepUsed(session: Session, used: { tokens: TokenUsage; cost: number; toolCalls: number }): void
  /** The system prompt of a turn: at most two texts, the first of which caches well. */
  systemPrompt(system: string[], turn: TurnContext): Promise<string[]>
  /** What a model call is told besides its messages. */
  parameters(parameters: CallParameters, turn: TurnContext): Promise<CallParameters>
  /** HTTP headers of a model call, beside those of its provider. */
  headers(headers: Record<string, string>, turn: TurnContext): Promise<Record<string, string>>
  /** A tool as the model is told of it. Its name stays. */
  toolDefinition(tool: ToolSchema, turn: TurnContext): Promise<ToolSchema>
  /** What a model sent for a call, before it is checked. @throws Error to fail the call, with a text for the model */
  beforeCall(input: unknown, call: HookedCall): Promise<unknown>
  /** What came of a call that succeeded, before the model reads it. */
  afterCall(result: ToolResult, call: HookedCall & { input: unknown }): Promise<ToolResult>
  /** What becomes of a question that the rules do not deny. Where it is "ask", only an answer to this question counts. */
  permission(ask: HookedAsk): Promise<AskDecision>
  /** What the model that summarises is asked. */
  compaction(request: string, turn: TurnContext): Promise<string>
  /** The environment of a command. `cwd` is absolute. */
  shellEnv(env: Record<string, string>, command: HookedCall & { cwd: string }): Promise<Record<string, string>>
  /** A tool has written a file (a real path). Resolves with what the model is told of it; null for nothing. */
  fileChanged(file: string, call: HookedCall): Promise<string | null>
}

/** Some of the hooks: what delegation or an extension plugs in. */
export type Plug = Partial<Hooks>

/** One member of each plug that has it, in their order. */
function membersOf<K extends keyof Hooks>(plugs: readonly Plug[], name: K): NonNullable<Plug[K]>[] {
  return plugs.flatMap((plug) => {
    const member = plug[name]
    return member === undefined ? [] : [member.bind(plug) as NonNullable<Plug[K]>]
  })
}

/** What each makes of what the one before it made. */
function through<T, A>(members: readonly ((value: T, at: A) => Promise<T> | T)[]): (value: T, at: A) => Promise<T> {
  return async (value, at) => {
    let now = value
    for (const member of members) now = await member(now, at)
    return now
  }
}

const strictness: readonly AskDecision[] = [null, "allow", "ask", "deny"]

/** One set of hooks of several: values pass through them in their order, and the strictest limit and decision count. */
export function combineHooks(plugs: readonly Plug[]): Hooks {
  const all = <K extends keyof Hooks>(name: K) => membersOf(plugs, name)
  const [begins, ended, limits, used] = [all("turnBegins"), all("turnEnded"), all("stepLimit"), all("stepUsed")]
  const [decisions, changes] = [all("permission"), all("fileChanged")]
  return {
    prompt: through(all("prompt")),
    turnBegins: async (...turn) => combineWork(await Promise.all(begins.map((begin) => begin(...turn)))),
    async turnEnded(sessionID) {
      for (const end of ended) await end(sessionID)
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
    systemPrompt: through(all("systemPrompt")),
    parameters: through(all("parameters")),
    headers: through(all("headers")),
    toolDefinition: through(all("toolDefinition")),
    beforeCall: through(all("beforeCall")),
    afterCall: through(all("afterCall")),
    async permission(ask) {
      const said = await Promise.all(decisions.map((decide) => decide(ask)))
      return strictness[Math.max(0, ...said.map((decision) => strictness.indexOf(decision)))] ?? null
    },
    compaction: through(all("compaction")),
    shellEnv: through(all("shellEnv")),
    async fileChanged(file, call) {
      const said: string[] = []
      // One may rewrite the file, and the next one looks at that.
      for (const change of changes) said.push((await change(file, call)) ?? "")
      return said.filter((text) => text !== "").join("\n") || null
    },
  }
}
