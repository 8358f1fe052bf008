import { DocketError } from "../../ground/error/docket-error.ts"
import { isFresh } from "../../ground/message/review-marks.ts"
import type { Part, ReviewedState, Task } from "../../ground/schema/index.ts"
import type { TaskNews } from "./review-service.ts"
import type { ReviewsDeps } from "./reviews-deps.ts"

/** Files of a task that are looked after. */
const maxFiles = 200
/** Messages at the end of a transcript in which the newest part is looked for: one that begins has none yet. */
const lookedAt = 3

/**
 * The task as a person has it before them, for a verdict or a look to be measured against later. `seen` is the newest part
 * that they saw, so that none which came meanwhile counts as seen; undefined for the task as it is now.
 * @throws invalid_input for a part of another session
 */
export async function reviewedState(
  deps: Pick<ReviewsDeps, "store" | "filesOf" | "fileDigest">,
  task: Task,
  seen: string | undefined,
): Promise<ReviewedState> {
  const part = await (seen === undefined ? newestPart(deps, task) : seenPart(deps, task, seen))
  const paths = (await deps.filesOf(task)).slice(0, maxFiles)
  return {
    last: part === null ? null : { messageID: part.messageID, partID: part.id },
    files: paths.length === 0 ? null : { paths, digest: await deps.fileDigest(paths) },
  }
}

async function newestPart({ store }: Pick<ReviewsDeps, "store">, { sessionID }: Task): Promise<Part | null> {
  const { items } = await store.transcript.page({ sessionID, limit: lookedAt })
  return items.flatMap(({ parts }) => parts).at(-1) ?? null
}

async function seenPart({ store }: Pick<ReviewsDeps, "store">, task: Task, id: string): Promise<Part> {
  const part = await store.transcript.part(id)
  if (part?.sessionID !== task.sessionID) {
    throw new DocketError(
      "invalid_input",
      `There is no part ${id} in the session of task #${task.number}. Load it again.`,
    )
  }
  return part
}

/** What became of a task since something was said of it, and whether that still holds. */
export interface Since extends TaskNews {
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
