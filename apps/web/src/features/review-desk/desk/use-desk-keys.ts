"use client"

import { commentOnRow } from "../../commenting/comment-on-row.ts"
import type { CommentStore } from "../../commenting/comment-store.ts"
import { useKeys } from "../../keyboard/use-keys.ts"
import { rowBeside } from "../task/review-rows.ts"
import type { Judge } from "../verdict/use-judge.ts"
import { commentHere } from "./comment-here.ts"
import type { DeskView } from "./desk-place.ts"
import type { Desk } from "./use-desk.ts"
import type { DeskNavigation } from "./use-desk-ways.ts"

interface DeskKeys {
  desk: Desk
  navigation: DeskNavigation
  judge: Judge
  comments: CommentStore
  /** Returns to the session. */
  leave(): void
}

/** The desk's own keys; the transcript handles its own. */
export function useDeskKeys({ desk, navigation: { openRow }, judge, comments, leave }: DeskKeys): void {
  const { rows, row, place, go } = desk
  const openNeighbour = (by: 1 | -1) => row && openRow(rowBeside(rows, row.sessionID, by))
  /** The same key returns to the transcript. */
  const toggle = (view: DeskView) => go({ ...place, part: null, view: place.view === view ? "transcript" : view })
  /** For keys that open a field: the key itself must not be typed into it. */
  const opening = (act: () => void) => (event: KeyboardEvent) => {
    event.preventDefault()
    act()
  }
  const moves = {
    "Shift+J": () => openNeighbour(1),
    "Shift+K": () => openNeighbour(-1),
    h: () => openRow(row?.parentID == null ? null : rows.get(row.parentID)),
    l: () => openRow(rows.get(row?.children[0] ?? "")),
  }
  const acts = {
    t: () => toggle("timeline"),
    d: () => toggle("files"),
    v: judge.toggleViewed,
    a: () => judge.give("approve", ""),
    "Shift+A": opening(() => judge.write("approve")),
    x: opening(() => judge.write("needs_changes")),
    "Shift+X": opening(() => judge.write("reject")),
    c: opening(() => commentHere(comments, row?.sessionID ?? "")),
    "Shift+C": commentOnRow,
    Escape: () => (place.view === "transcript" ? leave() : toggle(place.view)),
  }
  // A replayed state cannot be judged.
  useKeys(place.at === null ? { ...moves, ...acts } : moves)
}
