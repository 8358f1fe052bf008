import type { ImportReport } from "@docket/core"

const singular: Record<keyof ImportReport["counts"], string> = {
  sessions: "session",
  messages: "message",
  parts: "part",
  todos: "todo",
  tasks: "task",
  comments: "comment",
}

/** For example "2 sessions, 14 messages, and 1 task". */
export function importMessage(counts: ImportReport["counts"]): string {
  const entries = Object.entries(counts) as [keyof ImportReport["counts"], number][]
  const words = entries
    .filter(([name, count]) => count > 0 && name !== "parts")
    .map(([name, count]) => `${count} ${singular[name]}${count === 1 ? "" : "s"}`)
  return new Intl.ListFormat("en").format(words)
}
