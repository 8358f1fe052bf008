import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import type { LeftBehind } from "../../ground/schema/tool-metadata.ts"
import type { SwitchedOff } from "./git-control.ts"
import { leftID, leftPattern, leftTextID } from "./left-content.ts"
import { keepRecord } from "./left-records.ts"

interface LeftPlace {
  worktree: string
  /** The home of commands. */
  home: string
  /** For records. */
  left: string
}

/** As people are told of a file: in the worktree, below `~`, or absolute. */
export function shownName(file: string, { worktree, home }: Pick<LeftPlace, "worktree" | "home">): string {
  if (isWithin(worktree, file)) return path.relative(worktree, file) || "."
  return isWithin(home, file) ? path.join("~", path.relative(home, file)) : file
}

/** What would be remembered if a file were allowed as it is. */
export function patternOf(file: string, place: LeftPlace): string {
  const shown = shownName(file, place)
  return leftPattern({ shown, id: leftID(shown, file) ?? "" })
}

/** Notes what it takes to put a file back, once a person allows it. */
export function keepLeft(place: LeftPlace, file: string, was: NonNullable<SwitchedOff["was"]>): Pick<LeftBehind, "id"> {
  const shown = shownName(file, place)
  const id = "at" in was ? leftID(shown, was.at) : leftTextID(shown, was.text)
  const instead = leftID(shown, file)
  if (id === null || ("text" in was && instead === null)) return {}
  try {
    keepRecord(place.left, { id, shown, file, kept: "at" in was ? was : { ...was, instead: instead ?? "" } })
  } catch {
    // The disk is full, say: then it is allowed by hand.
    return {}
  }
  return { id }
}
