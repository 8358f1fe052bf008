import type { Tool } from "../../acts/tool/tool.ts"
import { momentOf } from "../../ground/id/moment-of.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import type { TodoChange } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { actorName } from "../../records/todo/merge-write.ts"
import { effectiveChanges } from "../../records/todo/work-spans.ts"
import type { TurnContext } from "../loop/turn-context.ts"

/** Only this many of the newest changes of a list are read. */
const lookedAt = 50
const maxLines = 20

/**
 * Tells the model about todos that a user, a program, an ended task or an agent of another session changed since its
 * last step; null when there are none.
 */
export async function todoNotice(
  deps: { store: Pick<Store, "todo"> },
  turn: TurnContext,
  offered: readonly Pick<Tool, "id">[],
): Promise<string | null> {
  const changes = await deps.store.todo.history({ sessionID: turn.session.id, limit: lookedAt })
  if (changes.length === 0) return null
  const since = lastStepStart(turn)
  // Changes that were undone are left out, because the model does not see that part of the conversation either.
  const foreign = effectiveChanges(changes).filter(({ id, actor, messageID }) => {
    // The model reads the results of commands in the prompt itself.
    const isNews = momentOf(id) > since && messageID !== turn.userMessage.id
    const isByOthers = actor.kind !== "agent" || isElsewhere(turn, messageID)
    return isNews && isByOthers
  })
  if (foreign.length === 0) return null
  const lines = foreign.slice(-maxLines).map((change) => quoteFrames(changeLine(change)))
  const reading = offered.some(({ id }) => id === "todoread") ? "; read it with todoread before you replace it" : ""
  const more = foreign.length > maxLines ? [`(and ${foreign.length - maxLines} earlier changes)`] : []
  return [
    `<system-reminder>The todo list was changed by others since your last step. Work from the list as it is now${reading}.`,
    ...more,
    ...lines,
    "</system-reminder>",
  ].join("\n")
}

/** Whether the change was made by a message of another session. */
function isElsewhere(turn: TurnContext, messageID: string | null): boolean {
  return messageID !== null && turn.transcript.get(messageID) === undefined
}

/**
 * The time at which the last answer without an error before the current one began. It is taken from the answer's id:
 * clocks may go back, ids do not.
 */
function lastStepStart(turn: TurnContext): string {
  const messages = turn.transcript.all()
  const current = messages.findLastIndex(({ info }) => info.role === "assistant")
  const before = messages.findLast(
    ({ info }, index) => index < current && info.role === "assistant" && info.error === null,
  )
  return momentOf(before?.info.id ?? "")
}

function changeLine({ actor, before, after }: TodoChange): string {
  const name = actorName(actor)
  const who = name.charAt(0).toUpperCase() + name.slice(1)
  if (after === null) return `- ${who} removed #${before?.number} "${before?.content}"`
  const item = `#${after.number} "${after.content}"`
  if (before === null) return `- ${who} added ${item} (${after.status})`
  if (before.status !== after.status) return `- ${who} set ${item} to ${after.status}`
  if (before.content !== after.content) return `- ${who} reworded "${before.content}" to ${item}`
  if (before.position !== after.position) return `- ${who} moved ${item} within the list`
  if (after.proposed !== null && before.proposed === null) return `- ${who} ended: ${item} is proposed as completed`
  return `- ${who} edited ${item}`
}
