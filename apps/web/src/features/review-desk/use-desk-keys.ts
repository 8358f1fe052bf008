"use client"

import type { VerdictKind } from "@docket/core/schema"
import { commentOnRow } from "../commenting/comment-on-row.ts"
import { useKeys } from "../keyboard/use-keys.ts"
import { isSeen } from "../review/judge.ts"
import type { DeskView } from "./desk-place.ts"
import { type ReviewRow, rowBeside } from "./review-rows.ts"
import type { Desk } from "./use-desk.ts"

interface DeskKeys {
  desk: Desk
  openRow(row: ReviewRow | null | undefined): void
  judge: {
    write(verdict: VerdictKind): void
    give(verdict: VerdictKind, reason: string): void
    setViewed(viewed: boolean): void
    comment(): void
  }
  /** Goes back to the session. */
  leave(): void
}

/** The keys of the desk; those of the transcript are its own. */
export function useDeskKeys({ desk, openRow, judge, leave }: DeskKeys): void {
  const { rows, row, review, place, go } = desk
  const beside = (by: 1 | -1) => row && openRow(rowBeside(rows, row.sessionID, by))
  /** The same key leads back to the transcript. */
  const toggle = (view: DeskView) => go({ ...place, part: null, view: place.view === view ? "transcript" : view })
  useKeys({
    "Shift+J": () => beside(1),
    "Shift+K": () => beside(-1),
    h: () => openRow(row?.parentID == null ? null : rows.get(row.parentID)),
    l: () => openRow(rows.get(row?.children[0] ?? "")),
    t: () => toggle("timeline"),
    d: () => toggle("files"),
    v: () => judge.setViewed(!isSeen(review)),
    a: () => judge.give("approve", ""),
    x: (event) => {
      event.preventDefault()
      judge.write("needs_changes")
    },
    "Shift+X": (event) => {
      event.preventDefault()
      judge.write("reject")
    },
    c: (event) => {
      event.preventDefault()
      judge.comment()
    },
    "Shift+C": commentOnRow,
    Escape: () => (place.view === "transcript" ? leave() : toggle(place.view)),
  })
}
