import { noticeOf } from "@docket/core/message"
import type { Notice, TextPart } from "@docket/core/schema"

/** A text that was written into the transcript for the model, in words for users. */
export function noticeMessage(part: TextPart): string {
  const notice = noticeOf(part)
  switch (notice?.kind) {
    case "tasks-ended":
      return notice.tasks.length === 1 ? "A background task has ended." : "Background tasks have ended."
    case "restarted":
      return "Docket was restarted while this ran. The agent checks what had taken effect and goes on."
    case "output-schema":
      return notice.problem === null
        ? "The answer is for a program: it has to be JSON of a given form."
        : `The answer did not have the form that the program needs:\n\n${notice.problem}`
    case "review":
      return reviewMessage(notice)
    case "mode":
      return notice.agent === "plan" ? "Plan mode: the plan agent goes on." : "The plan is approved and carried out."
    case "message":
    case "remark":
    case "window":
      return notice.text
    default:
      return part.text
  }
}

const verdictPhrases = { approve: "approved", needs_changes: "needs changes", reject: "rejected" } as const

/** A review by users, as Markdown. */
function reviewMessage({ verdicts, comments }: Extract<Notice, { kind: "review" }>): string {
  const name = (task: (typeof verdicts)[number]["task"]) => (task === null ? "This work" : `Task #${task.number}`)
  const judged = verdicts.map(({ task, verdict, reason }) => {
    const said = verdict === null ? "the verdict was withdrawn" : verdictPhrases[verdict]
    return `${name(task)}: **${said}**${reason === "" ? "" : `\n\n${reason}`}`
  })
  const said = comments.map(({ task, place, quote, text }) => {
    const about = [...(task === null ? [] : [name(task)]), ...(place === "" ? [] : [`\`${place}\``])].join(", ")
    const quoted = quote === null ? [] : [quote.replace(/^/gm, "> ")]
    return [...(about === "" ? [] : [about]), ...quoted, text].join("\n\n")
  })
  return [...judged, ...said].join("\n\n---\n\n")
}

/** Names the author of an added text. Text of a user, an agent or a client is never shown as text of Docket. */
export function addedMessage(part: TextPart): string {
  const notice = noticeOf(part)
  if (notice?.kind === "message")
    return `Message from ${notice.from.kind === "person" ? "the user" : `@${notice.from.name}`}`
  if (notice?.kind === "review") return notice.sendingID === null ? "Review of its tasks" : "Comments from people"
  if (notice?.kind === "command") return notice.state === "stopped" ? "Not sent" : "What it sent"
  return part.addedBy === undefined ? "Added by Docket" : "Added by the client that sent it"
}

/** The title of inline command results, e.g. "results of /todo list"; null for other parts. */
export function resultsLabel(part: TextPart): string | null {
  const notice = noticeOf(part)
  if (notice?.kind !== "commands" || notice.results.length === 0) return null
  const commands = notice.results.flatMap(({ command }) => command ?? [])
  return commands.length === 0 ? "results of commands" : `results of ${commands.join(", ")}`
}
