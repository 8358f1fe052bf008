import type { LanguageModelV4Usage } from "@ai-sdk/provider"
import type { TokenUsage } from "../schema/index.ts"

export const noTokens: TokenUsage = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

/** Our counts keep cached input and reasoning apart; providers sum them in different ways. */
export function toTokenUsage(usage: LanguageModelV4Usage): TokenUsage {
  const read = usage.inputTokens.cacheRead ?? 0
  const write = usage.inputTokens.cacheWrite ?? 0
  const reasoning = usage.outputTokens.reasoning ?? 0
  return {
    input: usage.inputTokens.noCache ?? Math.max(0, (usage.inputTokens.total ?? 0) - read - write),
    output: usage.outputTokens.text ?? Math.max(0, (usage.outputTokens.total ?? 0) - reasoning),
    reasoning,
    cache: { read, write },
  }
}

export function addTokens(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    cache: { read: a.cache.read + b.cache.read, write: a.cache.write + b.cache.write },
  }
}

/** What calls of models used. Cost in USD. */
export interface Usage {
  tokens: TokenUsage
  cost: number
}

export const noUsage: Usage = { tokens: noTokens, cost: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  return { tokens: addTokens(a.tokens, b.tokens), cost: roundCost(a.cost + b.cost) }
}

/** A sum of costs with the digits of a step's cost (1e-10 USD), so that no order of adding shows. */
export function roundCost(usd: number): number {
  return Math.round(usd * 1e10) / 1e10
}

/** All tokens that were used: fresh and cached input, output, reasoning. */
export function totalTokens(tokens: TokenUsage): number {
  return tokens.input + tokens.output + tokens.reasoning + tokens.cache.read + tokens.cache.write
}
