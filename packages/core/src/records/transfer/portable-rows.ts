import type {
  FileTurn,
  Message,
  MessageError,
  Part,
  ReviewedState,
  Session,
  Task,
  ToolPart,
  Turn,
} from "../../ground/schema/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"

// Rows as stored in a file: running work is marked as stopped, and data that is valid only where it was made (rules,
// snapshots, worktrees, process markers) is removed. Applying a function again changes nothing.

const stopped: MessageError = {
  name: "InterruptedError",
  message: "It was still going on when the session was written to a file.",
  statusCode: null,
  retryable: false,
}

/** Keeps only rules that deny, because a file must not allow anything. */
export function portableSession(session: Session): Session {
  const { notes: _notes, stop: _stop, writtenBy: _writtenBy, imported: _imported, ...kept } = session
  const { branch: _branch, repository: _repository, ...known } = kept
  const { preset: _preset, plan: _plan, visibility: _visibility, tree, revert, ...rest } = known
  return {
    ...rest,
    permission: session.permission.filter(({ action }) => action === "deny"),
    status: { type: "idle" },
    ...(tree !== undefined && { tree: tree && { ...tree, since: null } }),
    ...(revert !== undefined && { revert: revert && portableRevert(revert) }),
  }
}

function portableRevert(revert: NonNullable<Session["revert"]>): NonNullable<Session["revert"]> {
  const note = "Files stay as they are: their snapshots are not part of the file that the session came from."
  return { ...revert, files: { ...revert.files, state: "kept", before: null, after: null, note } }
}

export function portableMessage(message: Message): Message {
  if (message.role === "user" || message.time.completed !== null) return message
  const time = { ...message.time, completed: message.time.created }
  return { ...message, finish: message.finish ?? "interrupted", error: message.error ?? stopped, time }
}

export function portablePart(part: Part): Part {
  switch (part.type) {
    case "text":
    case "reasoning":
      // Only the end time differs.
      return part.time?.end === null ? ({ ...part, time: { ...part.time, end: part.time.start } } as Part) : part
    case "tool":
      return { ...part, state: portableState(part.state) }
    case "step-start": {
      const { snapshot: _snapshot, files: _files, ...rest } = part
      return rest
    }
    case "step-finish": {
      const { snapshot: _snapshot, ...rest } = part
      return rest
    }
    default:
      return part
  }
}

function portableState(state: ToolPart["state"]): ToolPart["state"] {
  if (state.status === "pending") {
    const time = { start: 0, end: 0 }
    return { status: "error", input: state.input, error: "Not started.", metadata: { interrupted: true }, time }
  }
  const { outputPath: _, writing: _writing, writings: _writings, ...metadata } = state.metadata
  if (state.status !== "running") return { ...state, metadata }
  const { start } = state.time
  return {
    status: "error",
    input: state.input,
    error: "Interrupted: it was still running when the session was written to a file.",
    metadata: { ...metadata, interrupted: true },
    time: { start, end: start },
  }
}

export function portableTask(task: Task): Task {
  const ended: Pick<Task, "state" | "error" | "time"> = isEnded(task)
    ? task
    : {
        state: "interrupted",
        error: { type: "interrupted", message: stopped.message },
        time: { ...task.time, ended: task.time.started ?? task.time.created },
      }
  return {
    ...task,
    state: ended.state,
    error: ended.error,
    time: ended.time,
    // Nobody is notified of it any more.
    delivered: task.delivered === "no" ? "poll" : task.delivered,
    ...(task.waited && { waited: { ms: task.waited.ms, since: null } }),
    resultPath: null,
    deadline: null,
    worktree: null,
  }
}

/** Null for a turn that has not started, because its prompt is not in the transcript yet. */
export function portableTurn(turn: Turn): FileTurn | null {
  const { input: _input, owner: _owner, ...rest } = turn
  if (turn.status === "queued") return null
  if (turn.status !== "running") return rest
  const ended = turn.time.started ?? turn.time.created
  return { ...rest, status: "interrupted", error: turn.error ?? stopped, time: { ...turn.time, ended } }
}

/** What a user looked at or judged, without the files of that machine. */
export function portableReview<T extends { on: ReviewedState | null }>(row: T): T {
  return { ...row, on: row.on && { ...row.on, files: null } }
}
