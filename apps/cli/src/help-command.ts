import type { Command } from "commander"

/** `docket help`. Commander's own prints the whole help for a command that it does not know. */
export function addHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command("help")
    .description("show the help of a command")
    .argument("[command...]")
    // The command prints it, because `serve` has a help of its own.
    .action(async (words: string[]) => {
      await program.parseAsync([...words, "--help"], { from: "user" })
    })
}
