/** AI SDK packages that ship with Docket. Any other that a provider's `npm` names is installed once the user agrees. */
export const bundledPackages: readonly string[] = [
  "@ai-sdk/anthropic",
  "@ai-sdk/openai",
  "@ai-sdk/google",
  "@ai-sdk/openai-compatible",
]
