/** A widely used provider package. Listing it here installs nothing. */
export interface UsualPackage {
  name: string
  /** The name of its provider. */
  title: string
  /** Environment variables that may hold its key; empty when it signs in differently. */
  env: readonly string[]
  /** The name of its options in a call, if it is not the last part of the package name. */
  optionsKey?: string
}

/** Packages by the authors of the AI SDK, and OpenRouter's (their documentation, November 2026). */
export const usualPackages: readonly UsualPackage[] = [
  { name: "@ai-sdk/amazon-bedrock", title: "Amazon Bedrock", env: [], optionsKey: "bedrock" },
  { name: "@ai-sdk/azure", title: "Azure OpenAI", env: ["AZURE_API_KEY"] },
  { name: "@ai-sdk/cerebras", title: "Cerebras", env: ["CEREBRAS_API_KEY"] },
  { name: "@ai-sdk/cohere", title: "Cohere", env: ["COHERE_API_KEY"] },
  { name: "@ai-sdk/deepinfra", title: "DeepInfra", env: ["DEEPINFRA_API_KEY"] },
  { name: "@ai-sdk/deepseek", title: "DeepSeek", env: ["DEEPSEEK_API_KEY"] },
  { name: "@ai-sdk/fireworks", title: "Fireworks", env: ["FIREWORKS_API_KEY"] },
  { name: "@ai-sdk/gateway", title: "AI Gateway", env: ["AI_GATEWAY_API_KEY"] },
  { name: "@ai-sdk/google-vertex", title: "Google Vertex AI", env: [], optionsKey: "vertex" },
  { name: "@ai-sdk/groq", title: "Groq", env: ["GROQ_API_KEY"] },
  { name: "@ai-sdk/mistral", title: "Mistral", env: ["MISTRAL_API_KEY"] },
  { name: "@ai-sdk/moonshotai", title: "Moonshot AI", env: ["MOONSHOT_API_KEY"] },
  { name: "@ai-sdk/perplexity", title: "Perplexity", env: ["PERPLEXITY_API_KEY"] },
  { name: "@ai-sdk/togetherai", title: "Together AI", env: ["TOGETHER_API_KEY"] },
  { name: "@ai-sdk/vercel", title: "Vercel", env: ["VERCEL_API_KEY"] },
  { name: "@ai-sdk/xai", title: "xAI", env: ["XAI_API_KEY"] },
  { name: "@openrouter/ai-sdk-provider", title: "OpenRouter", env: ["OPENROUTER_API_KEY"], optionsKey: "openrouter" },
]

export function usualPackage(name: string): UsualPackage | null {
  return usualPackages.find((usual) => usual.name === name) ?? null
}
