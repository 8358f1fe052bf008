/** A task in the notice of ended ones: its number and description, its agent, how it ended, and the rest. */
const taskPattern = /^Task #(\d+) "(.*)" \(@(\S+)\):\nstatus: (\w+)\n([\s\S]*?)(?=^Task #\d+ "|<\/system-reminder>)/gm
const resultPattern = /<(task_result|partial_result)>\n([\s\S]*?)\n?<\/\1>/
const longest = 4_000

/** What a notice tells of background tasks, for the user. */
export function outcomeReport(notice: string): string {
  const blocks = [...notice.matchAll(taskPattern)].map(([, number, description, agent, status, rest = ""]) => {
    const result = resultPattern.exec(rest)?.[2]?.trim() ?? ""
    const reason = rest
      .replace(resultPattern, "")
      .replace(/^(?:task_id|error_type): .*$/gm, "")
      .trim()
    const head = `**Task #${number} “${description}”** (@${agent}) ${status === "complete" ? "is complete." : "did not complete."}`
    return [
      head,
      status === "complete" ? "" : reason,
      result.length > longest ? `${result.slice(0, longest)}…` : result,
    ]
      .filter(Boolean)
      .join("\n\n")
  })
  return blocks.length === 0 ? "A background task has ended; the tasks panel shows how." : blocks.join("\n\n")
}
