import { noUsage } from "../../../ground/message/token-usage.ts"
import type { ModelRef } from "../../../ground/schema/index.ts"
import type { ForeignMessage, ForeignSession } from "./foreign-session.ts"

interface Told extends Pick<ForeignSession, "agent" | "title" | "brief" | "failed" | "created"> {
  model: ModelRef
  /** Null when the call has none. */
  result: { text: string; at: number } | null
}

/** A child session of which only its call tells: what it was asked, and what it answered. */
export function briefAndResult({ model, result, ...given }: Told): ForeignSession {
  const said = (role: ForeignMessage["role"], text: string, at: number): ForeignMessage => ({
    ...{ role, agent: given.agent, model, at, until: at, finish: null, error: null, usage: noUsage },
    parts: [{ content: { type: "text", text, time: { start: at, end: at } } }],
  })
  const messages = [said("user", given.brief, given.created)]
  if (result !== null) messages.push(said("assistant", result.text, result.at))
  return { ...given, messages, todos: [] }
}
