import { DocketError } from "../../ground/error/docket-error.ts"
import type { Config } from "../config/schema.ts"

type Lists = Pick<Config, "disabled_providers" | "enabled_providers">

/** The key of the configuration by which a provider is not used; null for one that is. What is both on and off is off. */
export function switchedOffBy(
  providerID: string,
  { disabled_providers, enabled_providers }: Lists,
): "disabled_providers" | "enabled_providers" | null {
  if (disabled_providers?.includes(providerID)) return "disabled_providers"
  return enabled_providers === undefined || enabled_providers.includes(providerID) ? null : "enabled_providers"
}

/** @throws provider_not_found, with the key that switches it off */
export function assertSwitchedOn(providerID: string, lists: Lists): void {
  const key = switchedOffBy(providerID, lists)
  if (key === null) return
  const why = key === "disabled_providers" ? `"${key}" names it` : `"${key}" does not name it`
  const message = `The provider "${providerID}" is switched off: ${why} in the configuration. Change that there, or choose a model of another provider.`
  throw new DocketError("provider_not_found", message)
}
