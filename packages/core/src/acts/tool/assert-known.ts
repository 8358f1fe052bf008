import { numberedText } from "./read.ts"
import type { TextFile } from "./text-file.ts"
import type { ToolContext } from "./tool.ts"
import { UnreadFile } from "./unread-file.ts"
import type { WorktreePath } from "./worktree-path.ts"

/**
 * Refuses to change text that the model has not seen in its present state. An empty file has nothing to lose. Where the
 * rules let the file be read without a question, the refusal shows it, and the model may send the change again.
 * @throws UnreadFile
 */
export async function assertKnown(context: ToolContext, place: WorktreePath, now: TextFile): Promise<void> {
  if (context.known === null || now.text === "") return
  const { name, shown } = place
  const known = await context.known.versions(name, context.messageID)
  if (known.includes(now.version)) return
  const why =
    known.length === 0
      ? `${shown} exists and was not read in this session. Nothing was written.`
      : `${shown} has changed since it was last read or written here. Nothing was written.`
  const read = known.length === 0 ? "Read it first" : "Read it again"
  const text = (await mayShow(context, place)) ? numberedText(now.text) : null
  if (text === null) throw new UnreadFile(`${why} ${read}, then send the change in a later answer.`, null)
  const seen = { file: name, version: now.version }
  throw new UnreadFile(`${why} This is the file now; send the change again if it is still right.\n\n${text}`, seen)
}

/** Reading it needs no question. */
async function mayShow({ closed }: ToolContext, { inside, name }: WorktreePath): Promise<boolean> {
  return inside && (await closed.among([name], "")).length === 0
}
