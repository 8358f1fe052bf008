import type { TodoChange } from "../schema/index.ts"
import type { LoopDeps, TurnContext } from "./turn-context.ts"

/** Changes of one list that are looked through for those of other hands. */
const lookedAt = 50
const maxLines = 20

/**
 * What the model is told of todos that a person, the API or an ended task changed since its last step; null
 * when nothing did.
 */
export async function todoNotice(deps: Pick<LoopDeps, "store">, turn: TurnContext): Promise<string | null> {
  const since = lastStepStart(turn)
  const changes = await deps.store.todo.history({ sessionID: turn.session.id, limit: lookedAt })
  const foreign = changes.filter(
    (change) => change.at >= since && change.actor.kind !== "agent" && change.messageID !== turn.userMessage.id,
  )
  if (foreign.length === 0) return null
  const lines = foreign.slice(0, maxLines).reverse().map(changeLine)
  const more = foreign.length > maxLines ? [`(and ${foreign.length - maxLines} earlier changes)`] : []
  return [
    "<system-reminder>The todo list was changed by others since your last step. Work from the list as it is now; read it with todoread before you replace it.",
    ...more,
    ...lines,
    "</system-reminder>",
  ].join("\n")
}

/** When the last answer before the one that is being made began; 0 when there is none. */
function lastStepStart(turn: TurnContext): number {
  const answers = turn.transcript.all().flatMap(({ info }) => (info.role === "assistant" ? [info] : []))
  return answers.slice(0, -1).findLast((info) => info.error === null)?.time.created ?? 0
}

function changeLine({ actor, before, after }: TodoChange): string {
  const who = actor.kind === "task" ? `The task of ${actor.name}` : actor.kind === "system" ? "Docket" : "The user"
  if (after === null) return `- ${who} removed #${before?.number} "${before?.content}"`
  const name = `#${after.number} "${after.content}"`
  if (before === null) return `- ${who} added ${name} (${after.status})`
  if (before.status !== after.status) return `- ${who} set ${name} to ${after.status}`
  if (before.content !== after.content) return `- ${who} reworded "${before.content}" to ${name}`
  if (before.position !== after.position) return `- ${who} moved ${name} to place ${after.position + 1}`
  if (after.proposed !== null && before.proposed === null) return `- ${who} ended: ${name} is proposed as completed`
  return `- ${who} edited ${name}`
}
