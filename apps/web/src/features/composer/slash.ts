import type { Command } from "../../shell/commands.tsx"

/** A command that `/` names. */
export type SlashCommand = Command & { slash: string }

export function slashCommands(commands: readonly Command[]): SlashCommand[] {
  return commands.flatMap((command) => (command.slash === undefined ? [] : [{ ...command, slash: command.slash }]))
}

/** What was typed after the `/` that begins the prompt, while the caret is in that word; null where no command stands. */
export function slashAt(text: string, caret: number): string | null {
  const match = /^\/(\S*)$/.exec(text.slice(0, caret))
  return match && !/\s/.test(text.trimEnd()) ? (match[1] ?? "") : null
}

/** Commands whose names begin with what was typed. */
export function matchingCommands(commands: readonly SlashCommand[], typed: string): SlashCommand[] {
  return commands.filter(({ slash }) => slash.startsWith(typed.toLowerCase()))
}

/** The command that a prompt is; null for one that is to be sent. */
export function commandOf(commands: readonly SlashCommand[], text: string): SlashCommand | null {
  return commands.find(({ slash }) => text.trim() === `/${slash}`) ?? null
}
