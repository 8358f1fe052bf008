import type { EffectiveConfig } from "@docket/core"

/** The origins among the values that count. A value is shown as text and may be cut off: what is whole of it is listed. */
export function originsIn(values: EffectiveConfig["values"]): string[] {
  const value = values.find(({ path }) => path.join(".") === "api.origins")?.value ?? ""
  return [...value.matchAll(/"(https?:\/\/[^"]+)"/g)].map(([, origin = ""]) => origin)
}
