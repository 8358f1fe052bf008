/** A provider that ships with Docket: it is connected as soon as it has a key. */
export interface BuiltinProvider {
  id: "anthropic" | "openai" | "google"
  name: string
  npm: string
  /** Used unless docket.json sets another, so that no environment variable can redirect keys. */
  baseURL: string
  /** Environment variables that may hold the key; the first one set is used. */
  env: readonly string[]
  /**
   * Patterns for the default model and for the model that names sessions: the newest match of the first pattern that
   * matches.
   */
  preferred: readonly RegExp[]
  small: readonly RegExp[]
}

/** By priority for the default model. */
export const builtinProviders: readonly BuiltinProvider[] = [
  {
    id: "anthropic",
    name: "Anthropic",
    npm: "@ai-sdk/anthropic",
    baseURL: "https://api.anthropic.com/v1",
    env: ["ANTHROPIC_API_KEY"],
    preferred: [/^claude-sonnet-/, /^claude-opus-/],
    small: [/^claude-haiku-/, /^claude-sonnet-/],
  },
  {
    id: "openai",
    name: "OpenAI",
    npm: "@ai-sdk/openai",
    baseURL: "https://api.openai.com/v1",
    env: ["OPENAI_API_KEY"],
    preferred: [/^gpt-[\d.]+-sol$/, /^gpt-[\d.]+$/],
    small: [/^gpt-[\d.]+-luna$/, /^gpt-[\d.]+-nano$/, /^gpt-[\d.]+-mini$/],
  },
  {
    id: "google",
    name: "Google",
    npm: "@ai-sdk/google",
    baseURL: "https://generativelanguage.googleapis.com/v1beta",
    env: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
    preferred: [/^gemini-[\d.]+-pro/, /^gemini-[\d.]+-flash$/],
    small: [/^gemini-[\d.]+-flash-lite/, /^gemini-[\d.]+-flash$/],
  },
]
