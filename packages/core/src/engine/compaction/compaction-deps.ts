import type { Store } from "../../ground/store/index.ts"
import type { LoopModels } from "../loop/loop-models.ts"
import type { Stamp } from "../loop/stamp.ts"
import type { TurnHooks } from "../loop/turn-hooks.ts"

export interface CompactionDeps extends Stamp {
  store: Pick<Store, "todo" | "transcript">
  models: Pick<LoopModels, "resolve" | "toMessageError" | "retryDelay" | "costOf">
  hooks: Pick<TurnHooks, "record">
  /** Longest silence of a provider in ms: before the first byte and between two. */
  providerTimeoutMs: number
}
