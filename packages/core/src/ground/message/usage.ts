import type { LanguageModelV4Usage } from "@ai-sdk/provider"
import type { Session, TokenUsage } from "../schema/index.ts"

/** The usage of model calls. Cost in USD. */
export interface Usage {
  tokens: TokenUsage
  cost: number
}

export const noTokens: TokenUsage = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
export const noUsage: Usage = { tokens: noTokens, cost: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  return { tokens: addTokens(a.tokens, b.tokens), cost: roundCost(a.cost + b.cost) }
}

function addTokens(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    cache: { read: a.cache.read + b.cache.read, write: a.cache.write + b.cache.write },
  }
}

/** A sum of costs with the digits of a step's cost (1e-10 USD), so that the order of adding does not show. */
export function roundCost(usd: number): number {
  return Math.round(usd * 1e10) / 1e10
}

/** The usage of the sessions of one tree. */
export interface TreeUsage {
  /** All of them, the root among them. */
  whole: Usage
  /** A session with everything below it. */
  subtree(sessionID: string): Usage
}

/**
 * The only place where tokens and cost are summed. Each session stores its own usage, and every sum is one over
 * sessions, so the usage of a nested task counts once. A session whose parent is missing still counts in the total.
 */
export function treeUsage(sessions: Iterable<Pick<Session, "id" | "parentID" | "cost" | "tokens">>): TreeUsage {
  const children = new Map<string | null, UsageNode[]>()
  const nodes = new Map<string, UsageNode>()
  let whole = noUsage
  for (const { id, parentID, cost, tokens } of sessions) {
    const node = { id, own: { cost, tokens } }
    nodes.set(id, node)
    const siblings = children.get(parentID)
    if (siblings) siblings.push(node)
    else children.set(parentID, [node])
    whole = addUsage(whole, node.own)
  }
  const sum = ({ id, own }: UsageNode): Usage =>
    (children.get(id) ?? []).reduce((total, child) => addUsage(total, sum(child)), own)
  return {
    whole,
    subtree(sessionID) {
      const node = nodes.get(sessionID)
      return node === undefined ? noUsage : sum(node)
    },
  }
}

export interface UsageNode {
  id: string
  own: Usage
}

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

/** All tokens that were used: fresh and cached input, output, reasoning. */
export function totalTokens(tokens: TokenUsage): number {
  return tokens.input + tokens.output + tokens.reasoning + tokens.cache.read + tokens.cache.write
}

/** "12.4K tokens · $0.08"; "" when nothing was used. A cost of 0 is left out: local and rehearsal models have none. */
export function formatUsage(tokens: number, cost: number): string {
  return [
    ...(tokens > 0 ? [`${formatTokens(tokens)} ${tokens === 1 ? "token" : "tokens"}`] : []),
    ...(cost > 0 ? [formatCost(cost)] : []),
  ].join(" · ")
}

// By hand: a browser takes 30 ms and more to load what its own compact notation needs, before the first row is drawn.
const units = ["", "K", "M", "B", "T"]

/** A token count: 940, 12.4K, 1.2M. */
export function formatTokens(tokens: number): string {
  const tenths = (unit: number) => Math.round(tokens / (1_000 ** unit / 10))
  let unit = 0
  while (unit < units.length - 1 && tenths(unit) >= 10_000) unit += 1
  return `${tenths(unit) / 10}${units[unit]}`
}

/** USD: $0, under a cent with four digits, else two. */
export function formatCost(usd: number): string {
  if (usd === 0) return "$0"
  if (usd < 0.0001) return "<$0.0001"
  return usd < 0.01 ? `$${usd.toFixed(4)}` : `$${grouped(usd.toFixed(2))}`
}

function grouped(amount: string): string {
  return amount.replace(/\d(?=(?:\d{3})+\.)/g, "$&,")
}
