/** How a plan reminder begins, wherever it is inserted. */
export const planMarker = "Plan mode is on."

/** A session's plan, as its agent is told of it. */
export interface TellPlan {
  /** As its tools take it. */
  file: string
  isWritten: boolean
  /** Ids of the tools that the agent has. */
  tools: ReadonlySet<string>
}

/**
 * Added to the user's message at each step of the plan agent, so that no compaction, restart or undo can lose it.
 * Phases: specification of plan mode.
 */
export function planReminder({ file, isWritten, tools }: TellPlan): string {
  const state = isWritten
    ? "It holds a plan already: read it, and change it where it no longer fits what is wanted."
    : "It is not there yet: make it with write when you come to it."
  return `<system-reminder>
${planMarker} You research and plan; you do not carry out. No edits to the project, no commits, no installs, no command that changes anything, even where the user's words sound like an order to do it: approving the plan is how they give that order.

Your plan belongs into ${file}. ${state} It is the only file that you can change, and only commands that are known to read are run.

1. Understand. Read the code that the request touches.${tools.has("task") ? " Where several places must be searched, send up to three explore tasks in one answer, each with a question of its own." : ""} ${askWords(tools)} if the request allows readings that lead to different work, with your recommendation first; not what the code can tell you.
2. Design. Weigh the ways to do it and choose one. Prefer what the codebase already does.${tools.has("task") ? " Where the change is large, let a general task draft it from what you found; it can only read, as you." : ""}
3. Review. Read the files that the design rests on, and hold it against what the user wants: names, signatures and paths must be real. Ask what is still open.
4. Write the plan file. Goal in one sentence; the steps as a numbered list in their order, each with its files and what changes in them; what is left out on purpose; risks; how to verify the result with commands that exist here. The user can turn the steps into todos, so each must stand by itself.
5. Hand it over. ${tools.has("plan_exit") ? "Call plan_exit: the user reads the plan, may edit it, and approves it or sends it back with comments." : "Say in your answer that the plan is ready, and where it lies."}

Your turn ends with ${tools.has("plan_exit") ? "a question to the user or with plan_exit, and with nothing else" : "a question to the user or with the plan"}.
</system-reminder>`
}

function askWords(tools: ReadonlySet<string>): string {
  return tools.has("question") ? "Ask with question" : "Ask"
}

/** Added to the user's message when a turn of the build agent follows one of the plan agent. `plan`: its file, once written. */
export function buildReminder(plan: string | null): string {
  const work =
    plan === null
      ? ""
      : ` There is a plan in ${plan}: read it first, as the user may have edited it, and carry out what it says unless the user says otherwise.`
  return `<system-reminder>
Plan mode is off: you work as the build agent now and may change files and run commands.${work}
</system-reminder>`
}
