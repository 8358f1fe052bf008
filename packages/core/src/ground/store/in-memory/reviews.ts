import type { Task } from "../../schema/index.ts"
import { taskSummary } from "../../schema/task.ts"
import { asksOf } from "../changed-rows.ts"
import type { LastSeenPart, Records, ReviewStore } from "../port/index.ts"
import { draftStore, isCounted } from "../record/review.ts"
import { listCursor, parseListCursor } from "../record/session.ts"
import type { Tables } from "./tables.ts"

/** The review comments and verdicts of people, in memory. */
export function inMemoryReviews(tables: Tables, records: Records): ReviewStore {
  const ofTree = <T extends { id: string; rootID: string }>(rows: Map<string, T>, rootID: string): T[] =>
    [...rows.values()].filter((row) => row.rootID === rootID).sort(byID)
  return {
    ...draftStore(records),
    thread: async (id) => tables.threads.get(id) ?? null,
    comment: async (id) => tables.comments.get(id) ?? null,
    verdict: async (id) => tables.verdicts.get(id) ?? null,
    tree: async (rootID) => ({
      threads: ofTree(tables.threads, rootID),
      comments: ofTree(tables.comments, rootID),
      verdicts: ofTree(tables.verdicts, rootID),
      viewed: ofTree(tables.viewed, rootID),
    }),
    unanswered: async (sessionID) =>
      [...tables.comments.values()].filter((comment) => asksOf(comment) === sessionID).sort(byID),
    async newParts(seen) {
      const counts = seen.map((one) => [one.key, partsAfter(tables, one)] as const)
      return Object.fromEntries(counts.filter(([, count]) => count > 0))
    },
    async unjudged({ person, limit, cursor }) {
      const after = cursor === undefined ? null : parseListCursor(cursor)
      const judged = new Set(
        [...tables.verdicts.values()].flatMap(({ by, taskID, time }) =>
          by.person === person && time.withdrawn === null ? [taskID] : [],
        ),
      )
      const tasks = [...tables.tasks.values()]
        .filter((task) => task.time.ended !== null && !judged.has(task.id) && !isArchived(tables, task))
        .sort((a, b) => endOf(b) - endOf(a) || (a.id < b.id ? -1 : 1))
        .filter((task) => after === null || isAfter(task, after))
      const page = tasks.slice(0, limit)
      const last = page.at(-1)
      return {
        items: page.map(taskSummary),
        cursor: last !== undefined && tasks.length > limit ? listCursor(last.id, endOf(last)) : null,
      }
    },
  }
}

function partsAfter(tables: Tables, { sessionID, last }: LastSeenPart): number {
  const ids = (tables.sessionMessages.get(sessionID) ?? []).filter((id) => id >= (last?.messageID ?? ""))
  const parts = ids.flatMap((id) => tables.messageParts.get(id) ?? []).filter((id) => id > (last?.partID ?? ""))
  return parts.flatMap((id) => tables.parts.get(id) ?? []).filter(isCounted).length
}

function isArchived(tables: Tables, { sessionID, rootID }: Task): boolean {
  return [sessionID, rootID].some((id) => tables.sessions.get(id)?.value.time.archived !== null)
}

const endOf = ({ time }: Task): number => time.ended ?? 0

function isAfter(task: Task, { updated, id }: { updated: number; id: string }): boolean {
  return endOf(task) < updated || (endOf(task) === updated && task.id > id)
}

/** Ids ascend. */
function byID(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1
}
