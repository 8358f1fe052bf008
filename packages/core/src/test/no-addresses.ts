import { createGuardedFetch } from "../fetch/guarded-fetch.ts"
import { modelInputs } from "../message/model-inputs.ts"
import type { PromptPartsDeps } from "../prompt/resolve-prompt-parts.ts"

/** For tests of attachments that are no addresses. */
export const noAddresses: Omit<PromptPartsDeps, "worktree" | "mayRead"> = {
  inputs: async () => modelInputs("", [], {}),
  fetch: createGuardedFetch(),
  signal: new AbortController().signal,
}
