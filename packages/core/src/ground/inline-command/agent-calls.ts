import type { InlineCommand } from "./parse-inline-commands.ts"

export interface AgentCall {
  agent: string
  prompt: string
}

/** The most children of one `/parallel`, as in Arbiter, from which the protocol comes. */
export const maxParallel = 16

/**
 * The delegations of an `/agent <name> <prompt>` line, or of the `/agent` lines in a `/parallel` block.
 * @throws Error with the usage when the command names no delegation or is incomplete
 */
export function agentCalls(inlineCommand: InlineCommand): AgentCall[] {
  if (inlineCommand.verb === "agent") return [agentCall(inlineCommand.args)]
  if (!inlineCommand.complete) throw new Error("missing /endparallel terminator")
  const lines = (inlineCommand.body ?? "").split("\n").filter((line) => line.trim() !== "")
  const calls = lines.map((line) => {
    const args = /^\/agent\s+(.*)$/.exec(line.trimEnd())?.[1]
    if (args === undefined)
      throw new Error(`/parallel takes only /agent lines, not ${JSON.stringify(line.slice(0, 80))}`)
    return agentCall(args)
  })
  if (calls.length === 0) throw new Error("/parallel needs at least one /agent line")
  if (calls.length > maxParallel) throw new Error(`/parallel takes at most ${maxParallel} /agent lines`)
  return calls
}

function agentCall(args: string): AgentCall {
  const [, agent, prompt] = /^@?(\S+)\s+(\S.*)$/s.exec(args.trim()) ?? []
  if (agent === undefined || prompt === undefined) throw new Error("usage: /agent <name> <prompt>")
  return { agent, prompt }
}

/** The first words of a prompt, for the title of its task. */
export function callDescription(prompt: string): string {
  const words = prompt.trim().split(/\s+/).slice(0, 5).join(" ")
  return words.length > 60 ? `${words.slice(0, 59)}…` : words
}
