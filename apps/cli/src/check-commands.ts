import { didYouMean } from "@docket/core/nearest-name"
import type { Command } from "commander"

/** The command that a group runs when none is named. */
const usualName = "list"

/**
 * Ends the program where a word of the command line stands for a command and names none. Commander itself prints the
 * whole help of a group instead, or gives the word to the group's usual command. Where that one takes a word, only one
 * that is near to a command's name was meant as a command.
 */
export function checkCommands(group: Command, [word, ...rest]: readonly string[]): void {
  if (word === undefined || word.startsWith("-") || group.commands.length === 0) return
  const found = word === "help" ? group : group.commands.find((command) => command.name() === word)
  if (found === undefined) {
    const names = group.commands.map((command) => command.name())
    const meant = didYouMean(word, names)
    const usual = group.commands.find((command) => command.name() === usualName)
    if (meant === "" && (usual?.registeredArguments.length ?? 0) > 0) return
    group.error(`error: unknown command "${word}".${meant} All of them: ${pathOf(group)} --help`)
  }
  checkCommands(found, rest)
}

/** `docket sessions` */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}
