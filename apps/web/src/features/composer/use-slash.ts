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

/** The command `/plan`, if there is a plan agent: switches to that agent. With text after it, `/plan` is a prompt. */
function planCommand({ agents, agent, onAgent }: SlashInput): Command[] {
  if (!primaryAgents(agents).some(({ name }) => name === "plan")) return []
  const unavailable = agent === "plan" ? "it plans already" : undefined
  const label = "Plan: switch to the agent that changes no file"
  return [{ id: "plan", group: "", label, slash: "plan", unavailable, run: () => onAgent("plan") }]
}

/** The parts of a prompt with a command part instead of the typed text. */
export function commandParts(
  { name, typed }: Extract<SlashMeaning, { kind: "prompt" }>,
  mentioned: readonly PromptPart[],
): PromptPart[] {
  const others = mentioned.filter(({ type }) => type !== "text")
  return [{ type: "command", name, arguments: typed }, ...others]
}

/** Reads `/` commands in a text. `onFailure` is called when the project's commands cannot be loaded. */
export function useSlash(input: SlashInput, text: string, onFailure: (error: unknown) => void) {
  const { commands, loadNow } = usePromptCommands(input.project.id, text)
  const asking = useRef(false)
  const names: SlashNames = {
    page: slashCommands([...planCommand(input), ...(input.commands ?? [])]),
    prompt: commands,
  }
  return {
    names,
    /** The command whose arguments are being typed. */
    inUse: commandInUse(names, text),
    /** The meaning of a prompt; "unknown" while the commands are loading, or when loading failed. */
    async meaningNow(prompt: string): Promise<SlashMeaning | null | "unknown"> {
      // Only the project's current commands tell a command from a path.
      if (readSlash(prompt)?.mayBePath !== true) return meaningOf(names, prompt)
      if (asking.current) return "unknown"
      asking.current = true
      try {
        return meaningOf({ ...names, prompt: await loadNow() }, prompt)
      } catch (error) {
        onFailure(error)
        return "unknown"
      } finally {
        asking.current = false
      }
    },
  }
}
