"use client"

import { useDebouncedValue } from "@mantine/hooks"
import { createSpotlight, Spotlight } from "@mantine/spotlight"
import { Search } from "lucide-react"
import { useEffect, useState } from "react"
import { usePaletteActions } from "./use-palette-actions.tsx"

/** The command palette. It opens when it is mounted. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [[store, spotlight]] = useState(createSpotlight)
  const [query, setQuery] = useState("")
  const [search] = useDebouncedValue(query.trim(), 120)
  const actions = usePaletteActions(search)
  useEffect(() => spotlight.open(), [spotlight])
  return (
    <Spotlight
      store={store}
      title="Command palette"
      classNames={{ header: "visually-hidden" }}
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      shortcut={null}
      scrollable
      overlayProps={{ color: "var(--dk-backdrop)", backgroundOpacity: 1, blur: 0 }}
      maxHeight="min(60dvh, 480px)"
      highlightQuery
      limit={60}
      nothingFound="Nothing matches"
      searchProps={{
        leftSection: <Search size={16} aria-hidden />,
        placeholder: "Go to a session, switch agent or model…",
        "aria-label": "Command palette",
      }}
    />
  )
}
