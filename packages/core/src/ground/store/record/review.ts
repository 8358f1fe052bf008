import { DocketError } from "../../error/docket-error.ts"
import { type Part, ReviewComment, ReviewDraft, ReviewThread, ReviewVerdict, ReviewViewed } from "../../schema/index.ts"
import { asksOf } from "../changed-rows.ts"
import type { ReviewStore } from "../port/table-stores.ts"
import { defineRecord } from "./define-record.ts"
import type { Records } from "./records-port.ts"

export const threadRecord = defineRecord({
  name: "ReviewThread",
  words: ["thread of comments", "threads of comments"],
  schema: ReviewThread,
  owner: "session",
  columns: {
    rootID: "word",
    sessionID: "word",
    taskID: "word?",
    seq: "integer",
    anchor: "word",
    person: "person",
    resolved: "boolean",
    created: "number",
  },
  given: ["rootID", "seq"],
  values: ({ anchor, by, resolved, time }) => ({
    anchor: anchor.kind,
    person: by.person,
    resolved: resolved !== null,
    created: time.created,
  }),
})

export const commentRecord = defineRecord({
  name: "ReviewComment",
  words: ["comment", "comments"],
  schema: ReviewComment,
  owner: "session",
  columns: {
    rootID: "word",
    sessionID: "word",
    threadID: "word",
    seq: "integer",
    person: "person",
    asks: "word?",
    created: "number",
  },
  given: ["rootID", "seq"],
  values: (comment) => ({ person: comment.by.person, asks: asksOf(comment), created: comment.time.created }),
})

export const verdictRecord = defineRecord({
  name: "ReviewVerdict",
  words: ["verdict", "verdicts"],
  schema: ReviewVerdict,
  owner: "session",
  columns: {
    rootID: "word",
    sessionID: "word",
    taskID: "word",
    seq: "integer",
    person: "person",
    verdict: "word",
    withdrawn: "boolean",
    created: "number",
  },
  given: ["rootID", "seq"],
  values: ({ by, time }) => ({ person: by.person, withdrawn: time.withdrawn !== null, created: time.created }),
})

export const viewedRecord = defineRecord({
  name: "ReviewViewed",
  words: ["mark of what somebody viewed", "marks of what people viewed"],
  schema: ReviewViewed,
  owner: "session",
  columns: {
    rootID: "word",
    sessionID: "word",
    taskID: "word",
    seq: "integer",
    person: "person",
    viewed: "number",
  },
  given: ["rootID", "seq"],
  values: ({ by, time }) => ({ person: by.person, viewed: time.viewed }),
})

export const draftRecord = defineRecord({
  name: "ReviewDraft",
  words: ["draft of a comment", "drafts of comments"],
  schema: ReviewDraft,
  owner: "session",
  columns: { rootID: "word", sessionID: "word", person: "person", updated: "number" },
  values: ({ by, time }) => ({ person: by.person, updated: time.updated }),
  orphan: ({ sessionID }) => new DocketError("session_not_found", `there is no session ${sessionID} to comment on`),
})

/** The part of the port that is about drafts. */
export function draftStore(records: Records): Pick<ReviewStore, "draft" | "drafts" | "putDraft" | "removeDrafts"> {
  return {
    draft: (id) => records.get(draftRecord, id),
    drafts: (person, rootID) => records.find(draftRecord, { where: { person, rootID }, order: ["id"] }),
    putDraft: (draft) => records.put(draftRecord, [draft]),
    async removeDrafts(ids) {
      await records.remove(draftRecord, { id: { in: ids } })
    },
  }
}

/** Parts that only record a step. Readers do not see them, so they never count as new. */
export const uncountedParts = ["step-start", "step-finish", "patch"] as const satisfies Part["type"][]

/** Whether a reader sees the part. */
export function isCounted({ type }: Pick<Part, "type">): boolean {
  return !uncountedParts.some((other) => other === type)
}
