import type { UsageUpdate } from "@agentclientprotocol/sdk/unstable"
import type { StepFinishPart } from "@docket/core/schema"

/**
 * How full the model's context is after a step, and what the session has cost so far with everything below it.
 * Null when the size of the context is not known.
 */
export function contextUsage({ tokens }: StepFinishPart, size: number, cost: number): UsageUpdate | null {
  if (size === 0) return null
  const used = tokens.input + tokens.cache.read + tokens.cache.write + tokens.output
  return { used, size, cost: { amount: cost, currency: "USD" } }
}
