import { visibleText } from "@docket/core/rule"
import type { Session } from "@docket/core/schema"
import { askOnTerminal, type Terminal } from "../ask-on-terminal.ts"
import { UsageError } from "../usage-error.ts"

/** Asks whether these sessions are to be removed. @throws UsageError unless the user agrees */
export async function confirmRemoval(
  sessions: readonly Pick<Session, "id" | "title">[],
  terminal: Terminal,
): Promise<void> {
  const lines = sessions.map(({ id, title }) => `${visibleText(`${id}  ${title}`)}\n`)
  const answer = await askOnTerminal(terminal, {
    text: `${lines.join("")}All that is in them will be gone for good.\n`,
    question: "Remove? [y/N] ",
    otherwise: "add --yes to remove them all the same",
  })
  if (!/^y(?:es)?$/i.test(answer)) throw new UsageError("nothing was removed")
}
