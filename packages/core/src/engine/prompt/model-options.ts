import type { Agent, ModelRef } from "../../ground/schema/index.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"
import { findVariant, maxOutputTokens } from "../../setup/provider/model-choice.ts"
import { usualPackage } from "../../setup/provider/package/usual-packages.ts"
import type { CallParameters } from "../loop/hooks.ts"

/** Who calls which model, and with which of its variants. */
export interface ModelUse {
  agent: Pick<Agent, "temperature" | "topP" | "options"> | undefined
  model: ModelRef
  variant: string | null
}

/**
 * What a model call is told besides its messages. Options are laid over each other by name: what Docket sets, what
 * docket.json sets for the model, the agent's, the variant's.
 * @throws variant_not_found
 */
export function modelOptions({ agent, model, variant }: ModelUse, resolved: ResolvedModel): CallParameters {
  const { output } = resolved.info.limit
  const chosen = variant === null ? {} : findVariant(resolved.info, resolved.variants, variant)
  const options = { ...resolved.options, ...agent?.options, ...chosen }
  return {
    ...(output > 0 && { maxOutputTokens: Math.min(output, maxOutputTokens) }),
    ...(agent && agent.temperature !== null && { temperature: agent.temperature }),
    ...(agent && agent.topP !== null && { topP: agent.topP }),
    ...(Object.keys(options).length > 0 && {
      // An agent's options come from JSON or YAML.
      providerOptions: { [optionsKey(model.providerID, resolved.npm)]: options as Record<string, never> },
    }),
  }
}

/** The name under which an SDK package looks for its options: mostly its own, but openai-compatible takes the provider's. */
function optionsKey(providerID: string, npm: string): string {
  if (npm === "@ai-sdk/openai-compatible") return providerID
  return usualPackage(npm)?.optionsKey ?? npm.split("/").at(-1) ?? providerID
}
