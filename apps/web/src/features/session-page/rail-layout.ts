import { isPanel, type Panel } from "./panels.ts"

/** The stored layout of a tree's right rail. */
export interface RailLayout {
  /** The tab that the user chose; null when they chose none. */
  panel: Panel | null
  /** Width in px; null for the default width of the window size. */
  width: number | null
}

export const narrowest = 280
/** Minimum width of the transcript beside the rail (px). */
const transcriptKeeps = 480

/** Number of trees whose layout is stored. */
const maxTrees = 100
const storageKey = "docket-rails-1"
const noLayout: RailLayout = { panel: null, width: null }

type RailStorage = Pick<Storage, "getItem" | "setItem">

/**
 * The tab to show: the user's choice, else the agents if tasks run or ran while the tree was on screen, else the todos.
 */
export function shownPanel({ panel }: RailLayout, delegated: boolean): Panel {
  return panel ?? (delegated ? "agents" : "todos")
}

export function readRailLayout(storage: RailStorage, rootID: string): RailLayout {
  return storedLayouts(storage).findLast(([id]) => id === rootID)?.[1] ?? noLayout
}

export function writeRailLayout(storage: RailStorage, rootID: string, layout: RailLayout): void {
  const others = storedLayouts(storage).filter(([id]) => id !== rootID)
  try {
    storage.setItem(storageKey, JSON.stringify([...others, [rootID, layout]].slice(-maxTrees)))
  } catch {
    // Storage is full or blocked: the layout lasts as long as the page.
  }
}

/** Limits a width so that both sides have room (px). */
export function fitWidth(width: number, pageWidth: number): number {
  return Math.round(Math.max(narrowest, Math.min(width, pageWidth - transcriptKeeps)))
}

function storedLayouts(storage: RailStorage): [string, RailLayout][] {
  try {
    const layouts: unknown = JSON.parse(storage.getItem(storageKey) ?? "[]")
    return Array.isArray(layouts) ? layouts.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(entry: unknown): entry is [string, RailLayout] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string") return false
  // Each field is checked below.
  const layout = entry[1] as Partial<RailLayout> | null
  return (
    (layout?.panel === null || isPanel(layout?.panel)) && (layout.width === null || typeof layout.width === "number")
  )
}
