import { type ClaudeLine, textsOf } from "./claude-lines.ts"

/** What a subagent did, written down between the lines of the session that asked it. */
export interface SideChain {
  lines: ClaudeLine[]
  prompt: string
  agentID: string | null
}

export interface SideChains {
  /** The chain of a call, by the name of its agent or by what it was asked; each once. Null when there is none. */
  take(call: { prompt: string; agentID: string | null }): SideChain | null
  /** How many no call has taken. */
  left(): number
}

/** Side chains begin where no line comes before, and go on by their parents. */
export function readSideChains(lines: readonly ClaudeLine[]): SideChains {
  const chains = new Set<SideChain>()
  const byLine = new Map<string, SideChain>()
  const byAgent = new Map<string, SideChain>()
  for (const line of lines) {
    const agentID = line.agentId ?? null
    const before = byLine.get(line.parentUuid ?? "") ?? (agentID === null ? undefined : byAgent.get(agentID))
    const chain = before ?? { lines: [], prompt: textsOf(line.message.content).trim(), agentID }
    chain.lines.push(line)
    chains.add(chain)
    byLine.set(line.uuid, chain)
    if (agentID !== null) byAgent.set(agentID, chain)
  }
  return {
    take({ prompt, agentID }) {
      const isOf = (chain: SideChain) =>
        agentID !== null && chain.agentID !== null
          ? chain.agentID === agentID
          : chain.prompt !== "" && chain.prompt === prompt.trim()
      const found = [...chains].find(isOf)
      if (found === undefined) return null
      chains.delete(found)
      return found
    },
    left: () => chains.size,
  }
}
