import { isFresh } from "../message/review-marks.ts"
import type { ReviewedState, Task } from "../schema/index.ts"
import type { ReviewsDeps } from "./reviews-deps.ts"

/** Files of a task that are looked after. */
const maxFiles = 200
/** Messages at the end of a transcript in which the newest part is looked for: one that begins has none yet. */
const lookedAt = 3

/** The task as it is now, for a verdict or a look to be measured against later. */
export async function reviewedState(
  deps: Pick<ReviewsDeps, "store" | "filesOf" | "fileDigest">,
  task: Task,
): Promise<ReviewedState> {
  const { items } = await deps.store.transcript.page({ sessionID: task.sessionID, limit: lookedAt })
  const part = items.flatMap(({ parts }) => parts).at(-1)
  const paths = (await deps.filesOf(task)).slice(0, maxFiles)
  return {
    last: part === undefined ? null : { messageID: part.messageID, partID: part.id },
    files: paths.length === 0 ? null : { paths, digest: await deps.fileDigest(paths) },
  }
}

/** What became of a task since something was said of it. */
export interface Since {
  newParts: number
  /** The files hold something else. */
  changed: boolean
  fresh: boolean
}

interface Said {
  id: string
  sessionID: string
  on: ReviewedState
}

/** What became of tasks since things were said of them, by the ids of these: one count for all, each file read once. */
export async function changesSince(
  deps: Pick<ReviewsDeps, "store" | "fileDigest">,
  said: readonly Said[],
): Promise<(id: string) => Since> {
  const marks = said.map(({ id, sessionID, on }) => ({ key: id, sessionID, last: on.last }))
  const counts = await deps.store.review.newParts(marks)
  const since = new Map<string, Since>()
  const digests = new Map<string, Promise<string>>()
  const digestOf = (paths: string[]) => {
    const key = paths.join("\0")
    const known = digests.get(key) ?? deps.fileDigest(paths)
    digests.set(key, known)
    return known
  }
  for (const { id, on } of said) {
    const newParts = counts[id] ?? 0
    const digest = on.files === null ? null : await digestOf(on.files.paths)
    const changed = on.files !== null && on.files.digest !== digest
    since.set(id, { newParts, changed, fresh: isFresh({ on }, { newParts, digest }) })
  }
  return (id) => since.get(id) ?? { newParts: 0, changed: false, fresh: true }
}
