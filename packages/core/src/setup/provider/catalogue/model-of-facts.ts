import type { ModelFacts, ModelInfo } from "../../../ground/schema/index.ts"

/** Whether an agent can work with it, as far as is known; others only make pictures or speech, or compare texts. */
export function canWork({ inputs, outputs, toolCall }: ModelFacts): boolean {
  return (inputs?.includes("text") ?? true) && (outputs?.includes("text") ?? true) && toolCall !== false
}

/** A model as the rest of Docket knows models. */
export function modelOfFacts(providerID: string, facts: ModelFacts): ModelInfo {
  const { id, name, limit, cost, reasoning, toolCall, inputs } = facts
  return {
    ...{ id, providerID, name },
    limit: {
      context: limit.context ?? 0,
      ...(limit.input !== null && { input: limit.input }),
      output: limit.output ?? 0,
    },
    // Tokens of the cache without a price of their own count as input, so that no cost is too low.
    cost: cost && { ...cost, cacheRead: cost.cacheRead ?? cost.input, cacheWrite: cost.cacheWrite ?? cost.input },
    reasoning: reasoning ?? false,
    toolCall: toolCall ?? true,
    ...(inputs !== null && { inputs: inputs.filter((kind) => kind !== "text") }),
    variants: [],
    rehearsal: false,
  }
}

/** The other way round: limits of 0 are not known. */
export function factsOfModel({ id, name, limit, cost, reasoning, toolCall, inputs }: ModelInfo): ModelFacts {
  return {
    ...{ id, name, reasoning, toolCall, cost },
    limit: { context: limit.context || null, input: limit.input ?? null, output: limit.output || null },
    inputs: inputs === undefined ? null : ["text", ...inputs],
    outputs: null,
    updated: null,
  }
}
