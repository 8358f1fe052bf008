import type { PromptCommand } from "@docket/core/schema"
import { readSlash } from "@docket/core/slash"
import type { Command } from "../../shell/commands.tsx"

/** A command that is typed with `/` and runs in the page. */
export type SlashCommand = Command & { slash: string }

export function slashCommands(commands: readonly Command[]): SlashCommand[] {
  return commands.flatMap((command) => (command.slash === undefined ? [] : [{ ...command, slash: command.slash }]))
}

/** All commands for `/`: those that run in the page, and those that are sent as prompts. */
export interface SlashNames {
  page: readonly SlashCommand[]
  prompt: readonly PromptCommand[]
}

/** The meaning of a text that begins with `/`. */
export type SlashMeaning =
  | { kind: "page"; command: SlashCommand }
  /** A prompt command, which the server expands, or rejects if the name is unknown. */
  | { kind: "prompt"; name: string; typed: string }
  /** The text cannot be sent as it is; `words` tell the user why. */
  | { kind: "refused"; words: string }

/** The command at the start of a prompt; null for a prompt without a command, which is sent as written. */
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

/** The text typed after the `/` at the start of the prompt while the caret is in that word; otherwise null. */
export function slashAt(text: string, caret: number): string | null {
  const match = /^\/(\S*)$/.exec(text.slice(0, caret))
  return match && !/\s/.test(text.trimEnd()) ? (match[1] ?? "") : null
}

/** Characters of a command whose arguments are completed. */
const mostCompleted = 4_000

/** The text up to the caret while arguments of a command of an extension (`/server:prompt`) are typed; otherwise null. */
export function argumentsAt(names: SlashNames, text: string, caret: number): string | null {
  const typed = text.slice(0, caret)
  const command = typed.length > mostCompleted ? null : commandInUse(names, typed)
  return command !== null && command.hint !== null && command.name.includes(":") ? typed : null
}

/** The command at the start of the text, once the user types its arguments. */
export function commandInUse(names: SlashNames, text: string): PromptCommand | null {
  const name = /^\/(\S+)\s/.exec(text)?.[1]?.normalize("NFC")
  return names.prompt.find((command) => command.name === name) ?? null
}
