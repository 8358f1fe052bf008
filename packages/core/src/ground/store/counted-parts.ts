import type { Part } from "../schema/index.ts"

/** Parts that are the bookkeeping of a step: no reader sees them, and none of them is new to anybody. */
const uncounted = ["step-start", "step-finish", "patch"] as const satisfies Part["type"][]

/** Whether a reader sees the part. */
export function isCounted({ type }: Pick<Part, "type">): boolean {
  return !uncounted.some((other) => other === type)
}

export { uncounted as uncountedParts }
