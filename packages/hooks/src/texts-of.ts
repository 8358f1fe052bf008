import type { ExtensionText } from "@docket/core/extension-text"
import type { HookSaid } from "./run-event.ts"

/** What hooks tell the model besides. */
export function contextOf(said: readonly HookSaid[]): ExtensionText[] {
  return said.flatMap(({ by, context }) => (context === null ? [] : [{ from: by, text: context }]))
}

/** Why hooks are not content with what happened. */
export function feedbackOf(said: readonly HookSaid[]): ExtensionText[] {
  return said.flatMap(({ by, block }) => (block === null ? [] : [{ from: by, text: block }]))
}

/** Why what hooks were told of is not to happen; null when none minds. */
export function refusalOf(said: readonly HookSaid[]): string | null {
  const refusal = said.find(({ block, stop }) => block !== null || stop !== null)
  return refusal === undefined ? null : `Blocked by ${refusal.by}: ${refusal.block ?? refusal.stop}`
}
