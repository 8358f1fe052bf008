import type { LanguageModelV4 } from "@ai-sdk/provider"

/** Loads the model that needs no provider, on its first use. `chunkDelay`: ms between two chunks. */
export function rehearsalLoader(chunkDelay?: number): () => Promise<LanguageModelV4> {
  return async () => {
    const { createRehearsalModel } = await import("./create-rehearsal-model.ts")
    return createRehearsalModel(chunkDelay === undefined ? {} : { chunkDelay })
  }
}
