import type { ModelInfo, TokenUsage } from "../../ground/schema/index.ts"

/** USD per million tokens, as a whole number of 1e-12 USD per token. */
const perToken = (price: number) => BigInt(Math.round(price * 1e6))

/**
 * Cost of one step in USD, exact to 1e-10. `usage.input` excludes cached tokens; reasoning has the output price. 0 when
 * the model has no price.
 */
export function costOf(model: Pick<ModelInfo, "cost">, usage: TokenUsage): number {
  if (!model.cost) return 0
  const { input, output, cacheRead, cacheWrite } = model.cost
  const picoUSD =
    BigInt(usage.input) * perToken(input) +
    BigInt(usage.output + usage.reasoning) * perToken(output) +
    BigInt(usage.cache.read) * perToken(cacheRead) +
    BigInt(usage.cache.write) * perToken(cacheWrite)
  return Number((picoUSD + 50n) / 100n) / 1e10
}
