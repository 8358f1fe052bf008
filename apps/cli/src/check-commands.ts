import { didYouMean } from "@docket/core/nearest-name"
import type { Command } from "commander"

/**
 * Ends the program where a word of the command line stands for a command and names none. Commander itself prints the
 * whole help of a group instead, or gives the word to the group's usual command.
 */
export function checkCommands(group: Command, [word, ...rest]: readonly string[]): void {
  if (word === undefined || word.startsWith("-") || group.commands.length === 0) return
  const found = word === "help" ? group : group.commands.find((command) => command.name() === word)
  if (found === undefined) {
    const names = group.commands.map((command) => command.name())
    group.error(`error: unknown command "${word}".${didYouMean(word, names)} All of them: ${pathOf(group)} --help`)
  }
  checkCommands(found, rest)
}

/** `docket sessions` */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}
