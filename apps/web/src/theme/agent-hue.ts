const fixed: Record<string, number> = { build: 0, plan: 5, explore: 1, general: 2 }

/** Number of `--dk-agent-n` hues in tokens.css. */
const hues = 8

/**
 * The CSS colour of an agent's lane and 2 px gutter. The same name always gets the same hue. Never use it for text or
 * status.
 */
export function agentHue(agent: string): string {
  let hash = fixed[agent]
  if (hash === undefined) {
    hash = 0
    for (const character of agent) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 9973
  }
  return `var(--dk-agent-${hash % hues})`
}
