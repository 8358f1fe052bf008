import { noTokens } from "../../message/usage.ts"
import type { Message, Turn } from "../../schema/index.ts"
import type { UsageQuery, UsageRow } from "../port/index.ts"
import { onlyReader } from "../record/session.ts"
import type { Tables } from "./tables.ts"

const dayMs = 86_400_000

/** `SessionStore.usage`, a row for each turn and each answer. */
export function usageRows(tables: Tables, { from, to, ahead, projectID, seenBy }: UsageQuery): UsageRow[] {
  const none = { turns: 0, failed: 0, duration: 0, answers: 0, cost: 0, tokens: noTokens }
  const groupOf = ({ sessionID, agent, model }: Message, created: number) => {
    const session = tables.sessions.get(sessionID)?.value
    const root = tables.sessions.get(session?.rootID ?? "")?.value
    if (session === undefined || root === undefined) return null
    if (seenBy !== null && (onlyReader(root) ?? seenBy) !== seenBy) return null
    if (projectID !== undefined && session.projectID !== projectID) return null
    if (created < from || created >= to) return null
    const day = Math.floor((created + ahead) / dayMs)
    return { ...none, day, projectID: session.projectID, agent, model: `${model.providerID}/${model.modelID}` }
  }
  const ofTurn = ({ input, messageID, status, time: { created, started, ended } }: Turn): UsageRow[] => {
    const prompt = tables.messages.get(messageID ?? "")
    const group = prompt === undefined || input.noReply === true ? null : groupOf(prompt, created)
    if (group === null || started === null || ended === null) return []
    return [{ ...group, turns: 1, failed: status === "failed" ? 1 : 0, duration: ended - started }]
  }
  const ofAnswer = (message: Message): UsageRow[] => {
    const group = message.role === "assistant" ? groupOf(message, message.time.created) : null
    if (group === null || message.role !== "assistant") return []
    return [{ ...group, answers: 1, cost: message.cost, tokens: message.tokens }]
  }
  return [...[...tables.turns.values()].flatMap(ofTurn), ...[...tables.messages.values()].flatMap(ofAnswer)]
}
