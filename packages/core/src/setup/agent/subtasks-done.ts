/** What the loop says when the subagents that a person asked for have answered; the rehearsal model knows it by this. */
export const subtasksDoneText = "Summarize the task output above and continue with your task."
