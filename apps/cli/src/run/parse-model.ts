import type { ModelRef } from "@docket/core/schema"
import { UsageError } from "../usage-error.ts"

/** Reads `provider/model`; the model's own name may contain slashes. @throws UsageError */
export function parseModel(text: string): ModelRef {
  const slash = text.indexOf("/")
  if (slash < 1 || slash === text.length - 1)
    throw new UsageError(`write the model as provider/model, e.g. anthropic/claude-sonnet-4-5 (got "${text}")`)
  return { providerID: text.slice(0, slash), modelID: text.slice(slash + 1) }
}
