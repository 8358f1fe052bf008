import type { ModelRef } from "../../ground/schema/index.ts"
import type { SessionStore } from "../../ground/store/index.ts"
import type { Config } from "../config/schema.ts"
import type { Providers } from "./create-providers.ts"
import { rehearsalProvider } from "./rehearsal-info.ts"

/** Newest sessions that are looked at; one that never ran has no model. */
const lookBack = 20

interface DefaultModelDeps {
  providers: Pick<Providers, "defaultModel">
  sessions: Pick<SessionStore, "listRoots">
}

/**
 * The model for a prompt that names none. When nothing but the rehearsal is left, although another model was used
 * last (in the project, else anywhere), it is still that one: the turn then says why it cannot be had, instead of
 * rehearsing in its place.
 */
export async function defaultModel(deps: DefaultModelDeps, config: Config, projectID?: string): Promise<ModelRef> {
  const chosen = await deps.providers.defaultModel(config)
  if (chosen.providerID !== rehearsalProvider.id || config.model !== undefined) return chosen
  return (await lastUsed(deps, projectID)) ?? (await lastUsed(deps)) ?? chosen
}

async function lastUsed({ sessions }: DefaultModelDeps, projectID?: string): Promise<ModelRef | null> {
  const { items } = await sessions.listRoots({ projectID, archived: false, limit: lookBack })
  return items.find(({ session }) => session.model !== null)?.session.model ?? null
}
