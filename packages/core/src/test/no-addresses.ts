import type { PromptPartsDeps } from "../engine/prompt/resolve-prompt-parts.ts"
import { createGuardedFetch } from "../ground/fetch/guarded-fetch.ts"
import { modelInputs } from "../ground/message/model-inputs.ts"

/** For tests of attachments without URLs. */
export const noAddresses: Omit<PromptPartsDeps, "worktree" | "mayRead"> = {
  inputs: async () => modelInputs("", [], {}),
  fetch: createGuardedFetch(),
  keep: async (file) => file,
  signal: new AbortController().signal,
}
