import type { ModelRef } from "@docket/core/schema"
import type * as Sdk from "@opencode-ai/sdk/v2/types"
import { answerJson } from "../http/answer.ts"
import { requires } from "../http/guarded-routes.ts"
import { agentShape } from "./agent-shape.ts"
import {
  callOf,
  namedProjectID,
  type OpencodeApp,
  type OpencodeCall,
  type OpencodeDeps,
  projectOf,
} from "./opencode-app.ts"
import { providerList } from "./provider-shape.ts"

/** `/agent`, `/config`, `/config/providers` and `/provider`. */
export function addSettingsRoutes(app: OpencodeApp, deps: OpencodeDeps): void {
  app.get("/agent", requires("read"), async (c) => {
    const call = callOf(c, deps)
    const { id: projectID } = await projectOf(call)
    const agents = await call.agents.agent.list({ projectID }, call.asker)
    return answerJson(c, agents.filter(({ problem }) => problem === null).map(agentShape), 200)
  })
  app.get("/config", requires("read"), async (c) => {
    const call = callOf(c, deps)
    const { config } = await call.agents.config.get({ projectID: await namedProjectID(call) }, call.asker)
    const { model, small_model, default_agent, instructions, disabled_providers, enabled_providers } = config
    const shown = {
      ...(model !== undefined && { model }),
      ...(small_model !== undefined && { small_model }),
      ...(default_agent !== undefined && { default_agent }),
      ...(instructions !== undefined && { instructions }),
      ...(disabled_providers !== undefined && { disabled_providers }),
      ...(enabled_providers !== undefined && { enabled_providers }),
    } satisfies Sdk.Config
    return answerJson(c, shown, 200)
  })
  app.get("/config/providers", requires("read"), async (c) => {
    const { connected, usual } = await providersOf(callOf(c, deps))
    const { all, default: chosen } = providerList(connected, usual)
    return answerJson(c, { providers: all, default: chosen } satisfies Sdk.ConfigProvidersResponse, 200)
  })
  app.get("/provider", requires("read"), async (c) => {
    const { providers, connected, usual } = await providersOf(callOf(c, deps))
    const list = { ...providerList(providers, usual), connected: connected.map(({ id }) => id) }
    return answerJson(c, list satisfies Sdk.ProviderListResponse, 200)
  })
}

async function providersOf(call: OpencodeCall) {
  const { provider } = call.agents
  const projectID = await namedProjectID(call)
  const providers = await provider.list({ projectID }, call.asker)
  // Without a model there is none to name. The list itself says why.
  const usual: ModelRef | null = await provider.defaultModel({ projectID }).catch(() => null)
  return { providers, connected: providers.filter(({ connected }) => connected), usual }
}
