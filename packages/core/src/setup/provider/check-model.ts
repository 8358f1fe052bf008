import type { ModelRef } from "../../ground/schema/index.ts"
import type { Config } from "../config/schema.ts"
import type { Providers } from "./create-providers.ts"
import { findVariant } from "./model-choice.ts"

/** @throws provider_not_found, model_not_found, no_model_available; variant_not_found when a variant is named */
export async function checkModel(
  providers: Pick<Providers, "resolve">,
  config: Config,
  { model, variant }: { model: ModelRef; variant?: string | null | undefined },
): Promise<void> {
  const { info, variants } = await providers.resolve(model, config)
  if (variant) findVariant(info, variants, variant)
}
