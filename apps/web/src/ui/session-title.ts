/** The name a session has before it gets a title, with its time of creation. */
const untitled = /^(New session|Child session) - \d{4}-\d\d-\d\dT.*$/
/** What `task` adds to the title of a child. */
const subagent = / \(@\S+ subagent\)$/

/** A session's title as lists show it: without the time stamp of an untitled one and without a child's agent. */
export function sessionTitle(title: string): string {
  return title.replace(untitled, "$1").replace(subagent, "") || "Untitled"
}
