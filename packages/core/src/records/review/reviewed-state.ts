import { DocketError } from "../../ground/error/docket-error.ts"
import {
  isFresh,
  isGivenHere,
  type ReviewStatus,
  reviewStatus,
  standingVerdicts,
} from "../../ground/message/review-status.ts"
import type { Part, ReviewedState, ReviewThread, ReviewVerdict, ReviewViewed, Task } from "../../ground/schema/index.ts"
import type { ReviewOverview, TaskNews, TaskReview } from "./review-service.ts"
import type { ReviewsDeps } from "./reviews-deps.ts"

/** The most files of a task that are compared. */
const maxFiles = 200
/** How many of the last messages are searched for the newest part: a message that just started has none. */
const lookedAt = 3

/**
 * The state of a task that a verdict or a look refers to. `seen` is the newest part that the person saw, so that later
 * parts do not count as seen; undefined for the current state.
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

/** How a task changed since a review, and whether the review is still valid. */
interface Since extends TaskNews {
  fresh: boolean
}

interface StoredReview {
  id: string
  sessionID: string
  on: ReviewedState
}

/**
 * How tasks changed since reviews of them, by review id. One query counts the new parts of all, and each set of files
 * is read once.
 */
async function changesSince(
  deps: Pick<ReviewsDeps, "store" | "fileDigest">,
  reviews: readonly StoredReview[],
): Promise<(id: string) => Since> {
  const seen = reviews.map(({ id, sessionID, on }) => ({ key: id, sessionID, last: on.last }))
  const counts = await deps.store.review.newParts(seen)
  const since = new Map<string, Since>()
  const digests = new Map<string, Promise<string>>()
  const digestOf = (paths: string[]) => {
    const key = paths.join("\0")
    const known = digests.get(key) ?? deps.fileDigest(paths)
    digests.set(key, known)
    return known
  }
  for (const { id, on } of reviews) {
    const newParts = counts[id] ?? 0
    const digest = on.files === null ? null : await digestOf(on.files.paths)
    const changed = on.files !== null && on.files.digest !== digest
    since.set(id, { newParts, changed, fresh: isFresh({ on }, { newParts, digest }) })
  }
  return (id) => since.get(id) ?? { newParts: 0, changed: false, fresh: true }
}

/** The reviews of all tasks of a tree; the number of reads does not depend on the number of tasks. */
export async function reviewOverview(
  deps: Pick<ReviewsDeps, "store" | "fileDigest">,
  rootID: string,
  person: string,
): Promise<ReviewOverview> {
  const { store } = deps
  // Read first: later changes then arrive as events.
  const seq = (await store.feed.head(rootID)) ?? 0
  const [tasks, { threads, verdicts, viewed }] = await Promise.all([store.task.tree(rootID), store.review.tree(rootID)])
  const byTask = Map.groupBy(verdicts, ({ taskID }) => taskID)
  const standing = new Map([...byTask].map(([taskID, given]) => [taskID, standingVerdicts(given)]))
  const looks = newestLooks(viewed.filter(({ by }) => by.person === person))
  const seen = [...looks.values()].flatMap(({ on, ...look }) => (on === null ? [] : [{ ...look, on }]))
  const since = await changesSince(deps, [...[...standing.values()].flat(), ...seen])
  const talks = Map.groupBy(threads, ({ taskID }) => taskID)
  return {
    seq,
    tasks: tasks.map(({ id }) =>
      taskReview(id, since, {
        standing: standing.get(id) ?? [],
        look: looks.get(id) ?? null,
        threads: talks.get(id) ?? [],
      }),
    ),
  }
}

interface ReviewParts {
  standing: ReviewVerdict[]
  look: ReviewViewed | null
  threads: ReviewThread[]
}

function taskReview(
  taskID: string,
  since: (id: string) => Since,
  { standing, look, threads }: ReviewParts,
): TaskReview {
  const verdicts = standing.map((verdict) => ({ verdict, ...since(verdict.id) }))
  const open = threads.filter(({ resolved }) => resolved === null).length
  return {
    taskID,
    mark: reviewStatus(verdicts),
    verdicts,
    viewed: look?.on ? viewedSince(look.on, look.time.viewed, since(look.id)) : null,
    threads: { open, resolved: threads.length - open },
  }
}

function viewedSince({ last }: ReviewedState, at: number, { newParts, changed }: Since): TaskReview["viewed"] {
  return { at, last, newParts, changed }
}

/** The last entry for each task. */
function newestLooks(viewed: readonly ReviewViewed[]): Map<string, ReviewViewed> {
  const looks = new Map<string, ReviewViewed>()
  for (const look of viewed) {
    if ((looks.get(look.taskID)?.time.viewed ?? 0) <= look.time.viewed) looks.set(look.taskID, look)
  }
  return looks
}

/** The review mark of a task, and the reason in the newest verdict behind it. */
export async function taskMark(
  deps: Pick<ReviewsDeps, "store" | "fileDigest">,
  { id, rootID }: Pick<Task, "id" | "rootID">,
): Promise<{ status: ReviewStatus; reason: string }> {
  const { verdicts } = await deps.store.review.tree(rootID)
  const standing = standingVerdicts(verdicts.filter(({ taskID }) => taskID === id))
  const since = await changesSince(deps, standing)
  const judged = standing.map((verdict) => ({ verdict, fresh: since(verdict.id).fresh }))
  const status = reviewStatus(judged)
  const verdictOf = { rejected: "reject", needs_changes: "needs_changes", approved: "approve", stale: null, none: null }
  const decisive = judged.findLast(
    ({ verdict, fresh }) => fresh && isGivenHere(verdict) && verdict.verdict === verdictOf[status],
  )
  return { status, reason: decisive?.verdict.reason ?? "" }
}
