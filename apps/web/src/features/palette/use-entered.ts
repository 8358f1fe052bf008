import type { SpotlightStore } from "@mantine/spotlight"
import { type KeyboardEvent, useEffect, useRef } from "react"

/**
 * Lets Enter run only entries that match the query. If there is none yet and the search is `late`, Enter runs the first
 * entry that arrives. Returns the key handler of the search field.
 */
export function useEntered(store: SpotlightStore, query: string, late: boolean): (event: KeyboardEvent) => void {
  /** Enter was pressed when there was nothing to run yet. */
  const waits = useRef(false)
  // Runs after every render: each one may have changed the list.
  useEffect(() => {
    if (query.trim() === "") return
    const selected = settleSelection(store)
    if (late || !waits.current) return
    waits.current = false
    selected?.click()
  })
  return ({ key, nativeEvent }) => {
    waits.current = key === "Enter" && !nativeEvent.isComposing && late && selectedIn(store) === null
  }
}

/** Spotlight selects by position. When the list changes, keeps the selected entry selected, else selects the first. */
function settleSelection(store: SpotlightStore): HTMLElement | null {
  const entries = [...(listOf(store)?.querySelectorAll<HTMLElement>("[data-action]") ?? [])]
  const place = Math.max(
    0,
    entries.findIndex((entry) => entry.hasAttribute("data-selected")),
  )
  const selected = entries[place] ?? null
  selected?.setAttribute("data-selected", "true")
  if (selected && store.getState().selected !== place) store.updateState((state) => ({ ...state, selected: place }))
  return selected
}

function selectedIn(store: SpotlightStore): HTMLElement | null {
  return listOf(store)?.querySelector<HTMLElement>("[data-selected]") ?? null
}

function listOf(store: SpotlightStore): HTMLElement | null {
  return document.getElementById(store.getState().listId)
}
