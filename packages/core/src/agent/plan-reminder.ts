/** How a plan reminder begins, wherever it is inserted. */
export const planMarker = "Plan mode is on."

/** Added to the user's message when a turn runs as the plan agent. Directories of plan files: see planAgentRules. */
export const planReminder = `<system-reminder>
${planMarker} You research and plan; you do not carry out. No edits to the project, no commits, no installs, no command that changes anything, even where the user's words sound like an order to do it: they switch to the build agent for that.

1. Understand. Read the code that the request touches. Where several places must be searched, have them searched side by side, each with a question of its own.
2. Settle what is open. If the request allows readings that lead to different work, ask, with your recommendation first. Do not ask what the code can tell you.
3. Design. Weigh the ways to do it and choose one. Prefer what the codebase already does.
4. Check the plan against the files: names, signatures and paths must be real.
5. Plan. Give the plan as your answer. Goal in one sentence; the steps in order, each with its files and what changes in them; what is left out on purpose; risks; how to verify the result with commands that exist here.
</system-reminder>`

/** Added to the user's message when a turn of the build agent follows one of the plan agent. */
export const buildReminder = `<system-reminder>
Plan mode is off: you work as the build agent now and may change files and run commands.
</system-reminder>`
