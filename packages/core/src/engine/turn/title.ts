import type { Journal } from "../../ground/event/journal.ts"
import { toTokenUsage, type Usage } from "../../ground/message/usage.ts"
import type { Agent, MessageWithParts, Session } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { isUntitled } from "../../records/session/session-title.ts"
import { titleFrom } from "../../records/session/title-from.ts"
import { readStream } from "../../setup/provider/read-stream.ts"
import type { LoopModels } from "../loop/choose-model.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { WritRunners } from "../loop/writ-runner.ts"

/** How many characters of the prompt replace a missing title. */
const fallbackLength = 60

export interface TitleDeps {
  store: Pick<Store, "session">
  journal: Journal
  models: Pick<LoopModels, "resolve" | "smallModel" | "costOf">
  writs: Pick<WritRunners, "find">
  providerTimeoutMs: number
}

/**
 * The hidden title agent names a root session after its first prompt. Without its answer the title is the beginning of
 * the prompt. While there are only inline commands, the title is the first one.
 */
export async function nameSession(deps: TitleDeps, turn: TurnContext, signal: AbortSignal): Promise<void> {
  if (turn.session.parentID !== null) return
  const messages = turn.transcript.all()
  const writ = firstWrit(deps, messages)
  const isUnnamed = (session: Session) => isUntitled(session) || session.title === writ
  const agent = turn.agents.find((candidate) => candidate.name === "title")
  if (!isUnnamed(turn.session) || agent?.prompt == null) return
  const prompts = messages.flatMap((message) => promptText(deps, message))
  if (prompts.length > 1) return
  const [text] = prompts
  const { title, used } =
    text === undefined ? { title: "", used: null } : await askForTitle(deps, turn, { agent, text, signal })
  // Without an answer the text of the prompt distinguishes the session from others.
  const cleaned = titleFrom(title) || (text === undefined ? writ : titleFrom(text, fallbackLength))
  const current = await deps.store.session.get(turn.session.id)
  if (current === null) return
  const { id: sessionID, rootID } = current
  const mutations: Mutation[] = used === null ? [] : [{ kind: "session.used", sessionID, used }]
  if (cleaned !== "" && isUnnamed(current) && current.title !== cleaned) {
    mutations.push({ kind: "session.patch", sessionID, patch: { title: cleaned } })
  }
  if (mutations.length > 0) await deps.journal.commit(rootID, mutations)
}

/** The model's title (empty after a failure) and the usage of the call, if known. The call is no step of the turn. */
async function askForTitle(
  deps: TitleDeps,
  turn: TurnContext,
  { agent, text, signal }: { agent: Agent; text: string; signal: AbortSignal },
): Promise<{ title: string; used: Usage | null }> {
  let used: Usage | null = null
  try {
    const ref = agent.model ?? (await deps.models.smallModel(turn.model, turn.config))
    const { model, info } = await deps.models.resolve(ref, turn.config)
    const prompt = [
      { role: "system" as const, content: agent.prompt ?? "" },
      { role: "user" as const, content: [{ type: "text" as const, text: text.slice(0, 8_000) }] },
    ]
    let title = ""
    const options = { prompt, ...(agent.temperature !== null && { temperature: agent.temperature }) }
    for await (const part of readStream(model, options, { signal, timeoutMs: deps.providerTimeoutMs })) {
      if (part.type === "text-delta") title += part.delta
      if (part.type === "error") throw part.error
      if (part.type !== "finish") continue
      const tokens = toTokenUsage(part.usage)
      used = { tokens, cost: deps.models.costOf(info, tokens) }
    }
    return { title, used }
  } catch {
    return { title: "", used }
  }
}

/** The text that the user typed or handed to subagents, without inline commands; empty for none. */
function promptText(deps: Pick<TitleDeps, "writs">, message: MessageWithParts): string[] {
  if (message.info.role !== "user") return []
  const { parts } = message
  const typed = typedText(message)
  const delegated = parts.flatMap((part) => (part.type === "subtask" ? [part.prompt] : []))
  const text = [deps.writs.find(typed, { finished: true }).rest, ...delegated].join("\n").trim()
  return text === "" ? [] : [text]
}

/** The title of a session that began only with inline commands; empty for any other session. */
function firstWrit(deps: Pick<TitleDeps, "writs">, messages: MessageWithParts[]): string {
  const first = messages.find((message) => typedText(message).trim() !== "")
  return first === undefined || promptText(deps, first).length > 0 ? "" : titleFrom(typedText(first), fallbackLength)
}

function typedText({ info, parts }: MessageWithParts): string {
  if (info.role !== "user") return ""
  return parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])).join("\n")
}
