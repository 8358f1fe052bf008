import {
  type Caller,
  type FileSession,
  type FileTurn,
  importedCaller,
  importedPerson,
  type MessageWithParts,
  type Part,
  type ReviewComment,
  type ReviewThread,
  type Session,
  type SessionFile,
  type Task,
} from "../../ground/schema/index.ts"

/**
 * The file with nobody of this place in it: whoever it says did something, is somebody from a file, under the name that it
 * gives them. Anybody can write any name into one.
 */
export function withImportedPeople(file: SessionFile): SessionFile {
  const { threads, comments, verdicts, viewed } = file.reviews
  return {
    ...file,
    sessions: file.sessions.map(fileSession),
    tasks: file.tasks.map(task),
    reviews: {
      threads: threads.map(thread),
      comments: comments.map(comment),
      verdicts: verdicts.map(withBy),
      viewed: viewed.map(withBy),
    },
  }
}

function fileSession({ session, todos, todoChanges, turns, messages }: FileSession): FileSession {
  return {
    session: ofSession(session),
    todos,
    todoChanges: todoChanges.map(withBy),
    turns: turns.map(turn),
    messages: messages.map(message),
  }
}

function ofSession(session: Session): Session {
  const { revert, read } = session
  return {
    ...withBy(session),
    ...(revert && { revert: withBy(revert) }),
    ...(read && { read: Object.fromEntries(Object.entries(read).map(([person, at]) => [importedPerson(person), at])) }),
  }
}

function turn(row: FileTurn): FileTurn {
  const { error, stoppedBy } = row
  return {
    ...withBy(row),
    ...(error && { error: withBy(error) }),
    ...(stoppedBy && { stoppedBy: importedCaller(stoppedBy) }),
  }
}

function message({ info, parts }: MessageWithParts): MessageWithParts {
  const of = info.role === "user" ? withBy(info) : { ...info, error: info.error && withBy(info.error) }
  return { info: of, parts: parts.map(part) }
}

/** Who gave leave for a call, answered a question or decided on a plan stands in what the call keeps. */
function part(row: Part): Part {
  if (row.type !== "tool" || row.state.status === "pending") return row
  const { metadata } = row.state
  const isAnswered = row.tool === "question" || row.tool === "plan_exit"
  const leave = withPersonID(metadata.leave)
  const kept = { ...(isAnswered ? withPersonID(metadata) : metadata), ...(leave !== undefined && { leave }) }
  return { ...row, state: { ...row.state, metadata: kept } }
}

function withPersonID<T>(kept: T): T {
  if (typeof kept !== "object" || kept === null || !("by" in kept) || typeof kept.by !== "string") return kept
  return { ...kept, by: importedPerson(kept.by) }
}

function task(row: Task): Task {
  const { error, moments } = row
  return {
    ...withBy(row),
    error: error && withBy(error),
    ...(moments && {
      moments: moments.map((moment) => ({ ...moment, ...(moment.answer && { answer: withBy(moment.answer) }) })),
    }),
  }
}

function thread(row: ReviewThread): ReviewThread {
  return { ...withBy(row), resolved: row.resolved && withBy(row.resolved) }
}

function comment(row: ReviewComment): ReviewComment {
  return { ...withBy(row), sent: row.sent && withBy(row.sent) }
}

function withBy<T extends { by?: Caller | undefined }>(row: T): T {
  return row.by === undefined ? row : { ...row, by: importedCaller(row.by) }
}
