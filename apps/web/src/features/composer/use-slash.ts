"use client"

import type { Agent, Project, PromptPart } from "@docket/core/schema"
import { readSlash } from "@docket/core/slash"
import { useRef } from "react"
import type { Command } from "../../shell/commands.tsx"
import { primaryAgents } from "./primary-agents.ts"
import { commandInUse, meaningOf, type SlashMeaning, type SlashNames, slashCommands } from "./slash.ts"
import { usePromptCommands } from "./use-prompt-commands.ts"

interface SlashInput {
  project: Project
  agents: Agent[]
  agent: string
  onAgent: (name: string) => void
  commands?: readonly Command[]
}

/** What `/plan` alone does; with words after it, it is a prompt. */
function planning({ agents, agent, onAgent }: SlashInput): Command[] {
  if (!primaryAgents(agents).some(({ name }) => name === "plan")) return []
  const unavailable = agent === "plan" ? "it plans already" : undefined
  const label = "Plan: switch to the agent that changes no file"
  return [{ id: "plan", group: "", label, slash: "plan", unavailable, run: () => onAgent("plan") }]
}

/** The command in the place of the text that it was typed in. */
export function commandParts(
  { name, typed }: Extract<SlashMeaning, { kind: "prompt" }>,
  mentioned: readonly PromptPart[],
): PromptPart[] {
  const others = mentioned.filter(({ type }) => type !== "text")
  return [{ type: "command", name, arguments: typed }, ...others]
}

/** What `/` means in a text. `onFailure` hears why the commands of the project could not be asked for. */
export function useSlash(input: SlashInput, text: string, onFailure: (error: unknown) => void) {
  const { commands, now } = usePromptCommands(input.project.id, text)
  const asking = useRef(false)
  const names: SlashNames = { page: slashCommands([...planning(input), ...(input.commands ?? [])]), prompt: commands }
  return {
    names,
    /** The command whose arguments are being typed. */
    inUse: commandInUse(names, text),
    /** What a prompt asks for; "unknown" while that is found out, or when it cannot be. */
    async meaningNow(prompt: string): Promise<SlashMeaning | null | "unknown"> {
      if (readSlash(prompt)?.mayBePath !== true) return meaningOf(names, prompt)
      if (asking.current) return "unknown"
      asking.current = true
      try {
        return meaningOf({ ...names, prompt: await now() }, prompt)
      } catch (error) {
        onFailure(error)
        return "unknown"
      } finally {
        asking.current = false
      }
    },
  }
}
