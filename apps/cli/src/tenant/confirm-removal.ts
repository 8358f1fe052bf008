import { askOnTerminal, type Terminal } from "../ask-on-terminal.ts"

/** Asks whether the tenant may be removed with what it `owns`. */
export type ConfirmRemoval = (name: string, owns: string) => Promise<boolean>

/** Asks on a terminal: whoever types the tenant's name agrees. @throws UsageError when nobody can be asked */
export function createTerminalConfirm(input: Terminal["input"], output: Terminal["output"]): ConfirmRemoval {
  return async (name, owns) => {
    const answer = await askOnTerminal(
      { input, output },
      {
        text: `Tenant ${name} owns ${owns}. All of it will be gone for good.\n`,
        question: `Type ${name} to remove it: `,
        otherwise: "add --yes to remove it all the same",
      },
    )
    return answer === name
  }
}
