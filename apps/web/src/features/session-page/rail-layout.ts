import { isPanel, type Panel } from "./panels.ts"

/** How the right rail of a tree was left. */
export interface RailLayout {
  /** The tab that the reader chose; null while they chose none. */
  panel: Panel | null
  /** Width in px; null as wide as the window gives. */
  width: number | null
}

export const narrowest = 280
/** What the transcript keeps beside the rail (px). */
const transcriptKeeps = 480

/** Layouts are kept for this many trees. */
const kept = 100
const storageKey = "docket-rails-1"
const fresh: RailLayout = { panel: null, width: null }

type RailStorage = Pick<Storage, "getItem" | "setItem">

/** The tab on top: the reader's own, else the agents of a tree in which tasks run or ran while it was watched, else the todos. */
export function shownPanel({ panel }: RailLayout, delegated: boolean): Panel {
  return panel ?? (delegated ? "agents" : "todos")
}

/** The layout of a tree's rail as this browser left it. */
export function readRailLayout(storage: RailStorage, rootID: string): RailLayout {
  return all(storage).findLast(([id]) => id === rootID)?.[1] ?? fresh
}

export function writeRailLayout(storage: RailStorage, rootID: string, layout: RailLayout): void {
  const others = all(storage).filter(([id]) => id !== rootID)
  try {
    storage.setItem(storageKey, JSON.stringify([...others, [rootID, layout]].slice(-kept)))
  } catch {
    // A full or forbidden storage: the layout lasts as long as the page.
  }
}

/** A width that leaves room to both sides (px). */
export function fitWidth(width: number, pageWidth: number): number {
  return Math.round(Math.max(narrowest, Math.min(width, pageWidth - transcriptKeeps)))
}

function all(storage: RailStorage): [string, RailLayout][] {
  try {
    const layouts: unknown = JSON.parse(storage.getItem(storageKey) ?? "[]")
    return Array.isArray(layouts) ? layouts.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(entry: unknown): entry is [string, RailLayout] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string") return false
  // Its fields are looked at one by one below.
  const layout = entry[1] as Partial<RailLayout> | null
  return (
    (layout?.panel === null || isPanel(layout?.panel)) && (layout.width === null || typeof layout.width === "number")
  )
}
