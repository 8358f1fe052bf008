import type { ProviderInfo } from "@docket/core/schema"
import type { Check } from "./check.ts"

/**
 * Checks which providers are ready. A provider without its key also lists models, and the rehearsal is not a real
 * model.
 */
export function checkModels(providers: readonly ProviderInfo[]): Check {
  const ready = providers.filter(({ connected, models }) => connected && models.length > 0)
  const real = ready.filter(({ models }) => models.some(({ rehearsal }) => !rehearsal)).map(({ id }) => id)
  if (real.length > 0) return { name: "models", state: "ok", text: real.join(", ") }
  const found = ready.length > 0 ? "only the rehearsal" : "none"
  return {
    name: "models",
    state: "warn",
    text: `${found}: connect one in Settings, Models (in a team, an admin does this), or start a model server where Docket runs`,
  }
}
