import type { PromptCommand } from "@docket/core/schema"
import { readSlash } from "@docket/core/slash"
import type { Command } from "../../shell/commands.tsx"

/** A command that `/` names and the page carries out. */
export type SlashCommand = Command & { slash: string }

export function slashCommands(commands: readonly Command[]): SlashCommand[] {
  return commands.flatMap((command) => (command.slash === undefined ? [] : [{ ...command, slash: command.slash }]))
}

/** What `/` may name: what the page does itself, and what stands for a prompt. */
export interface SlashNames {
  page: readonly SlashCommand[]
  prompt: readonly PromptCommand[]
}

/** What a text that begins with `/` asks for. */
export type SlashMeaning =
  | { kind: "page"; command: SlashCommand }
  /** The service knows what it stands for, or says that nothing has this name. */
  | { kind: "prompt"; name: string; typed: string }
  /** Nothing to send as it is: why, for the person. */
  | { kind: "refused"; words: string }

/** What a prompt asks for by its first word; null for one that is sent as it is written. */
export function meaningOf(names: SlashNames, text: string): SlashMeaning | null {
  const slash = readSlash(text)
  if (slash === null) return null
  const { name, typed, mayBePath } = slash
  const page = names.page.find((command) => command.slash === name)
  if (page !== undefined && typed === "") return { kind: "page", command: page }
  if (names.prompt.some((command) => command.name === name)) return { kind: "prompt", name, typed }
  if (page !== undefined) {
    return { kind: "refused", words: `/${name} takes nothing after it. Begin with a space to send this as text.` }
  }
  return mayBePath ? null : { kind: "prompt", name, typed }
}

/** What was typed after the `/` that begins the prompt, while the caret is in that word; null where no command stands. */
export function slashAt(text: string, caret: number): string | null {
  const match = /^\/(\S*)$/.exec(text.slice(0, caret))
  return match && !/\s/.test(text.trimEnd()) ? (match[1] ?? "") : null
}

/** The command that the text begins with, once its arguments are being typed. */
export function commandInUse(names: SlashNames, text: string): PromptCommand | null {
  const name = /^\/(\S+)\s/.exec(text)?.[1]?.normalize("NFC")
  return names.prompt.find((command) => command.name === name) ?? null
}
