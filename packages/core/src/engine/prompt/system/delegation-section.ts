import { bullets, type PromptSection } from "./prompt-context.ts"

/** A brief that says the goal, what is known, the bounds and the form of the answer. */
const goodBrief = `A brief that works:
<example>
Find every place in packages/queue that counts or resets the attempts of a job; begin at src/run-job.ts:40. I am about to give each job a limit of its own and must not miss one. Known: rows are written in src/store/jobs.ts, the tests are in src/run-job.test.ts. Change nothing. Report each place as path:line with a sentence on what it does, in the order in which a job passes them; then where you are not sure. Depth: medium.
</example>`

/** Which delegation tool serves when, and what a brief needs. */
export const delegationSection: PromptSection = ({ tools, watched }) => {
  const has = (id: string) => tools.has(id)
  if (!has("task") && !has("async_task")) return null
  const points = bullets("Delegating", [
    "Delegate a question over many files, a piece of work that stands by itself, or several that can run side by side. Do yourself what one or two direct searches or reads answer, and what needs this conversation to be understood. Do not do again what a subagent is doing.",
    has("task") &&
      "`task` waits for the answer: take it when you cannot go on without. Start independent tasks in ONE answer, so that they run in parallel; give each a question of its own, and never the same file to two that change it.",
    has("async_task") &&
      "`async_task` returns at once and lets you go on: take it for longer work beside your own. When it has ended you are told, so do not ask again and again.",
    has("async_task_result") &&
      "`async_task_result` fetches one answer as soon as you need it; give it wait_ms rather than calling it in a row.",
    has("async_task_gather") &&
      "`async_task_gather` waits for several together: for all, for the first, or for a number of them.",
    has("task_message") &&
      "`task_message` gives a running task a correction or a fact that it lacks. Do not start it anew for that.",
    has("async_task_cancel") &&
      "`async_task_cancel` ends a task whose answer is not wanted any more. What it found is kept.",
    has("task") && "To go on with the same subagent and all that it knows, pass its session_id as task_id.",
    "A subagent starts empty and cannot ask you: it sees your brief and nothing of this conversation. Give it the goal, the facts and paths you know, the bounds, and what to report.",
    `Its result comes to you alone. Check what matters, then ${watched ? "tell the user" : "put it into your own result"}. Before you end, collect what still runs, or end it.`,
  ])
  return `${points}\n\n${goodBrief}`
}
