import type { Store } from "../../ground/store/index.ts"
import type { LoopModels } from "../loop/choose-model.ts"
import type { Hooks } from "../loop/hooks.ts"
import type { Stamp } from "../loop/write-message.ts"

export interface CompactionDeps extends Stamp {
  store: Pick<Store, "todo" | "transcript">
  models: Pick<LoopModels, "resolve" | "toMessageError" | "retryDelay" | "costOf">
  hooks: Pick<Hooks, "stepUsed" | "compaction">
  /** Longest silence of a provider in ms: before the first byte and between two. */
  providerTimeoutMs: number
}
