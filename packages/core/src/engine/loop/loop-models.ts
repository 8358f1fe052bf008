import type { MessageError, ModelInfo, ModelRef, TokenUsage } from "../../ground/schema/index.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"

/** What the loop needs of the providers. */
export interface LoopModels {
  /** @throws model_not_found, provider_not_found */
  resolve(ref: ModelRef, config: Config): Promise<ResolvedModel>
  /** A cheap model for titles, the given one when there is none. */
  smallModel(ref: ModelRef, config: Config): Promise<ModelRef>
  toMessageError(error: unknown, ref: ModelRef): MessageError
  /** Milliseconds before retry `attempt` (from 1), or null to give up. */
  retryDelay(attempt: number, error: unknown): number | null
  /** USD. */
  costOf(info: ModelInfo, usage: TokenUsage): number
}
