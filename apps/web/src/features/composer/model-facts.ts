import type { ModelInfo } from "@docket/core/schema"
import { formatTokens } from "@docket/core/usage"

/** What is known of a model in one line: room, longest answer, prices, sight and thought. Null when nothing is. */
export function modelFacts({ limit, cost, inputs, reasoning }: ModelInfo): string | null {
  const facts = [
    ...(limit.context > 0 ? [`${formatTokens(limit.context)} context`] : []),
    ...(limit.output > 0 ? [`${formatTokens(limit.output)} output`] : []),
    ...(cost === null ? [] : [`$${cost.input} in, $${cost.output} out`]),
    ...(inputs?.includes("image") ? ["sees pictures"] : []),
    ...(reasoning ? ["reasons"] : []),
  ]
  return facts.length === 0 ? null : facts.join(" · ")
}
