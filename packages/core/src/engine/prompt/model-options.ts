import type { Agent, ModelRef } from "../../ground/schema/index.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"
import { findVariant, maxOutputTokens } from "../../setup/provider/model-choice.ts"
import { usualPackage } from "../../setup/provider/package/usual-packages.ts"
import type { CallParameters } from "../loop/hooks.ts"

/** Which agent calls which model, with which variant. */
export interface ModelUse {
  agent: Pick<Agent, "temperature" | "topP" | "options"> | undefined
  model: ModelRef
  variant: string | null
}

/**
 * The parameters of a model call besides its messages. Options are merged by name, later ones win: Docket's, the
 * model's from docket.json, the agent's, the variant's.
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
      // The options of an agent come from JSON or YAML, so they are JSON values.
      providerOptions: { [optionsKey(model.providerID, resolved.npm)]: options as Record<string, never> },
    }),
  }
}

/**
 * The name under which an SDK package reads its options: usually its own, but openai-compatible uses the provider's.
 */
function optionsKey(providerID: string, npm: string): string {
  if (npm === "@ai-sdk/openai-compatible") return providerID
  return usualPackage(npm)?.optionsKey ?? npm.split("/").at(-1) ?? providerID
}
