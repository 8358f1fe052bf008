import { access } from "node:fs/promises"
import path from "node:path"
import type { Tool } from "../../acts/tool/tool.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { buildAgent, planAgent } from "../../setup/agent/builtin-agents.ts"
import { buildReminder, planReminder } from "../../setup/agent/prompts.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { planPath } from "../plan/plan-file.ts"

/**
 * The reminder to the model beside the user's words: the rules of plan mode with the plan's file and state, or that
 * plan mode ended.
 */
export async function turnReminder(turn: TurnContext, offered: readonly Pick<Tool, "id">[]): Promise<string | null> {
  if (turn.agent.name === planAgent) {
    const { file, isWritten } = await planOf(turn)
    return planReminder({ file, isWritten, tools: new Set(offered.map(({ id }) => id)) })
  }
  const previous = turn.transcript
    .all()
    .findLast(({ info }) => info.role === "assistant" && info.parentID !== turn.userMessage.id)
  if (previous?.info.agent !== planAgent || turn.agent.name !== buildAgent) return null
  const { file, isWritten } = await planOf(turn)
  return buildReminder(isWritten ? file : null)
}

/** The session's plan, with its file as tools name it. */
async function planOf({ session, project }: TurnContext): Promise<{ file: string; isWritten: boolean }> {
  const { plan = "", directory } = session
  const absolute = planPath(project.worktree, plan)
  const isWritten =
    plan !== "" &&
    (await access(absolute).then(
      () => true,
      () => false,
    ))
  return { file: isWithin(directory, absolute) ? path.relative(directory, absolute) : absolute, isWritten }
}
