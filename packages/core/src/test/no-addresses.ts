import { modelInputs } from "../message/model-inputs.ts"
import { createGuardedFetch } from "../prompt/attachment/guarded-fetch.ts"
import type { PromptPartsDeps } from "../prompt/resolve-prompt-parts.ts"

/** For tests of attachments that are no addresses. */
export const noAddresses: Omit<PromptPartsDeps, "worktree" | "mayRead"> = {
  inputs: async () => modelInputs("", [], {}),
  fetch: createGuardedFetch(),
  signal: new AbortController().signal,
}
