import type { ModelRef, Session, TokenUsage } from "@docket/core/schema"
import { treeUsage } from "@docket/core/usage"
import { workSpan } from "@docket/core/work-span"

/** What the head of a shared page says about the tree. */
export interface ShareSummary {
  models: ModelRef[]
  /** From the start of the first session to the end of the newest work, or to `now` while something works. ms. */
  durationMs: number
  /** USD. */
  cost: number
  tokens: TokenUsage
}

export function summarize(sessions: Session[], now: number): ShareSummary {
  const models = new Map<string, ModelRef>()
  for (const { model } of sessions) if (model) models.set(`${model.providerID}/${model.modelID}`, model)
  const { start, end } = workSpan(sessions)
  const { cost, tokens } = treeUsage(sessions).whole
  return {
    models: [...models.values()],
    durationMs: sessions.length > 0 ? (end ?? now) - start : 0,
    cost,
    tokens,
  }
}
