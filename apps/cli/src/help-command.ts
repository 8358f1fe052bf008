import { didYouMean } from "@docket/core/nearest-name"
import type { Command } from "commander"

/** `docket help`. Commander's own prints the whole help for a command that it does not know. */
export function addHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command("help")
    .description("show the help of a command")
    .argument("[command...]")
    .action(async (words: string[]) => {
      checkCommand(program, words)
      // The command prints it, because `serve` has a help of its own.
      await program.parseAsync([...words, "--help"], { from: "user" })
    })
}

/** Ends the program where the words name no command. */
function checkCommand(group: Command, [name, ...rest]: string[]): void {
  if (name === undefined || group.commands.length === 0) return
  const found = group.commands.find((command) => command.name() === name)
  if (found === undefined) {
    const names = group.commands.map((command) => command.name())
    group.error(`error: unknown command "${name}".${didYouMean(name, names)} All of them: docket --help`)
  }
  checkCommand(found, rest)
}
