import type { SessionNote, Speaker } from "../../ground/schema/index.ts"
import { notesRead } from "../loop/session-notes.ts"
import type { TaskDesk } from "./task-desk.ts"
import type { Tasks } from "./tasks.ts"
import { endedError, isElsewhere } from "./tasks-elsewhere.ts"

/** What working tasks are told, here or by another runtime. */
export function createTaskMessages(
  deps: Pick<TaskDesk, "live" | "notes" | "journal" | "isShared">,
): Pick<Tasks, "message" | "note"> {
  return {
    async message(id, text, from) {
      const entry = deps.live.byID(id)
      const task = entry?.task ?? (await deps.live.get(id))
      // Its last step is over: nobody would read it.
      if (entry?.closed || (entry === undefined && !isElsewhere(deps, task))) throw endedError(task)
      const child = { id: task.sessionID, rootID: task.rootID }
      const tell = entry === undefined ? deps.notes.leave : deps.notes.add
      await tell(child, messageNote(text, from))
      // The last step ended while it was stored.
      if (entry?.closed && deps.notes.has(task.sessionID)) {
        const unread = await deps.notes.take(task.sessionID, "loud")
        await deps.journal.commit(task.rootID, notesRead(task.sessionID, unread))
        throw endedError(entry.task)
      }
      entry?.wake?.()
      return task
    },
    async note(id, note, more) {
      const entry = deps.live.byID(id)
      const task = entry?.task ?? (await deps.live.get(id))
      if (entry?.closed || (entry === undefined && !isElsewhere(deps, task))) return false
      const child = { id: task.sessionID, rootID: task.rootID }
      await (entry === undefined ? deps.notes.leave : deps.notes.add)(child, note, more)
      entry?.wake?.()
      return true
    },
  }
}

/** What an agent is told while it works. */
function messageNote(text: string, from: Speaker): Omit<SessionNote, "id"> {
  const who = from.kind === "person" ? "the user" : `the agent ${from.name} that delegated this`
  return { text: `Message from ${who}:\n${text}`, notice: { kind: "message", from, text } }
}
