import { inbox, places } from "../../shell/places.ts"

/**
 * One line of the keyboard help. `keys` are pressed one after another, or together where the first is a modifier. `Mod`
 * is ⌘ on a Mac and Ctrl elsewhere.
 */
export interface KeyHelp {
  keys: string[]
  does: string
}

/** The keyboard map, by place. Single keys are off while the user types, and can be switched off. */
export const keymap: { title: string; single: boolean; keys: KeyHelp[] }[] = [
  {
    title: "Anywhere",
    single: true,
    keys: [
      { keys: ["Mod", "K"], does: "Command palette" },
      { keys: ["/"], does: "Search sessions" },
      { keys: ["?"], does: "Keyboard help" },
      { keys: ["n"], does: "New session" },
      ...[inbox, ...places].map(({ key, label, name = label.toLowerCase() }) => ({
        keys: ["g", key],
        does: `Go to ${name}`,
      })),
    ],
  },
  {
    title: "Session",
    single: true,
    keys: [
      { keys: ["/"], does: "Find in this session and its subagents" },
      { keys: ["h"], does: "Parent session" },
      { keys: ["l"], does: "First child session" },
      { keys: ["Esc"], does: "Back to where you were" },
      { keys: ["J"], does: "Next task" },
      { keys: ["K"], does: "Previous task" },
      { keys: ["c"], does: "Comment on the selected words, else write to the agent" },
      { keys: ["d"], does: "Changed files and their diffs, j and k between them" },
      { keys: ["g", "r"], does: "Review its tasks" },
    ],
  },
  {
    title: "Review",
    single: true,
    keys: [
      { keys: ["J"], does: "Next task to review" },
      { keys: ["K"], does: "Previous task to review" },
      { keys: ["h"], does: "Task above" },
      { keys: ["l"], does: "First task below" },
      { keys: ["v"], does: "Viewed, or not" },
      { keys: ["a"], does: "Approve" },
      { keys: ["A"], does: "Approve, with a note" },
      { keys: ["x"], does: "Needs changes, with a reason" },
      { keys: ["X"], does: "Reject, with a reason" },
      { keys: ["c"], does: "Comment on the selected words, else on the task" },
      { keys: ["t"], does: "Timeline, and back" },
      { keys: ["d"], does: "Files of the task, j and k between them, and back" },
      { keys: ["Esc"], does: "Back to the transcript, then to the session" },
    ],
  },
  {
    title: "Transcript",
    single: true,
    keys: [
      { keys: ["j"], does: "Next part" },
      { keys: ["k"], does: "Previous part" },
      { keys: ["o"], does: "Expand or collapse" },
      { keys: ["]"], does: "Next error" },
      { keys: ["["], does: "Previous error" },
      { keys: ["y"], does: "Copy a link to the part" },
      { keys: ["C"], does: "Comment on the part, or read what is said of it" },
    ],
  },
  {
    title: "Replay",
    single: true,
    keys: [
      { keys: ["p"], does: "Play or pause" },
      { keys: ["."], does: "Next event" },
      { keys: [","], does: "Previous event" },
      { keys: ["Esc"], does: "Back to what is there now" },
    ],
  },
  {
    title: "Permission request",
    single: false,
    keys: [
      { keys: ["Alt", "Y"], does: "Allow once" },
      { keys: ["Alt", "T"], does: "Always for this task" },
      { keys: ["Alt", "A"], does: "Always for this session, or as far as is chosen" },
      { keys: ["Alt", "W"], does: "“Always” wider: session, project, every project" },
      { keys: ["Alt", "N"], does: "Reject" },
      { keys: ["Alt", "J"], does: "Next request" },
      { keys: ["Alt", "K"], does: "Previous request" },
    ],
  },
  {
    title: "Plan that waits for approval",
    single: false,
    keys: [
      { keys: ["Alt", "Y"], does: "Approve it, or send it back with your comments" },
      { keys: ["Alt", "N"], does: "Stay in plan mode" },
      { keys: ["Mod", "Enter"], does: "Add a comment" },
    ],
  },
  {
    title: "Question of an agent",
    single: false,
    keys: [
      { keys: ["1–9"], does: "Choose an option" },
      { keys: ["Alt", "Y"], does: "Send the answers, or go to the first question without one" },
      { keys: ["Alt", "N"], does: "Dismiss" },
    ],
  },
  {
    title: "Writing",
    single: false,
    keys: [
      { keys: ["Enter"], does: "Send" },
      { keys: ["/undo", "Enter"], does: "Undo the last prompt" },
      { keys: ["/redo", "Enter"], does: "Bring back what is undone" },
      { keys: ["Shift", "Enter"], does: "New line" },
      { keys: ["↑"], does: "Earlier prompts" },
      { keys: ["@"], does: "Mention an agent or a file" },
      { keys: ["/"], does: "List the commands" },
      { keys: ["Mod", "Enter"], does: "Post a comment" },
      { keys: ["Tab"], does: "Switch between build and plan" },
      { keys: ["Alt", "P"], does: "Next preset of permissions" },
      { keys: ["Esc", "Tab"], does: "Leave the text field" },
      { keys: ["Esc", "Esc"], does: "Stop the agent" },
    ],
  },
]

/** The keys of a shortcut, by its text in the help; none when there is no such shortcut. */
export function keysOf(does: string): string[] {
  return keymap.flatMap(({ keys }) => keys).find((entry) => entry.does === does)?.keys ?? []
}
