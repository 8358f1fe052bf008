import { buildReminder, planReminder } from "../agent/plan-reminder.ts"
import type { TurnContext } from "../loop/turn-context.ts"

/**
 * What the loop tells the model beside the user's words: the rules of plan mode, or that it ended.
 */
export function turnReminder(turn: TurnContext): string | null {
  if (turn.agent.name === "plan") return planReminder
  const previous = turn.transcript
    .all()
    .findLast(({ info }) => info.role === "assistant" && info.parentID !== turn.userMessage.id)
  return previous?.info.agent === "plan" && turn.agent.name === "build" ? buildReminder : null
}
