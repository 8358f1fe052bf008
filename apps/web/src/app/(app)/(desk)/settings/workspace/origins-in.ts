import type { EffectiveConfig } from "@docket/core"

/**
 * The allowed origins among the values in force. The value is a text that may be truncated; only complete origins are
 * listed.
 */
export function originsIn(values: EffectiveConfig["values"]): string[] {
  const value = values.find(({ path }) => path.join(".") === "api.origins")?.value ?? ""
  return [...value.matchAll(/"(https?:\/\/[^"]+)"/g)].map(([, origin = ""]) => origin)
}
