import type { ModelRef, Session, TokenUsage } from "@docket/core/schema"
import { treeUsage } from "@docket/core/usage"

/** What the head of a shared page says about the whole tree. */
export interface ShareSummary {
  models: ModelRef[]
  /** From the first session's start to the last change, in ms. */
  durationMs: number
  /** USD. */
  cost: number
  tokens: TokenUsage
}

export function summarize(sessions: Session[]): ShareSummary {
  const models = new Map<string, ModelRef>()
  for (const { model } of sessions) if (model) models.set(`${model.providerID}/${model.modelID}`, model)
  const start = Math.min(...sessions.map((it) => it.time.created))
  const end = Math.max(...sessions.map((it) => it.time.updated))
  const { cost, tokens } = treeUsage(sessions).whole
  return {
    models: [...models.values()],
    durationMs: sessions.length > 0 ? end - start : 0,
    cost,
    tokens,
  }
}
