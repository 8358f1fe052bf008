"use client"

import { useDebouncedValue } from "@mantine/hooks"
import { createSpotlight, Spotlight } from "@mantine/spotlight"
import { Search } from "lucide-react"
import { useEffect, useState } from "react"
import { useLayer } from "../../shell/layers-provider.tsx"
import { filterGroups } from "./filter-groups.ts"
import { recentEntries } from "./recent.ts"
import { useEntered } from "./use-entered.ts"
import { usePaletteActions } from "./use-palette-actions.tsx"

/** The command palette. It opens when it is mounted. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [[store, spotlight]] = useState(createSpotlight)
  const [recent] = useState(recentEntries)
  const [query, setQuery] = useState("")
  const [search] = useDebouncedValue(query.trim(), 120)
  const { groups, late: searching } = usePaletteActions(search)
  const late = searching || search !== query.trim()
  const enter = useEntered(store, query, late)
  useEffect(() => spotlight.open(), [spotlight])
  useLayer(true, spotlight.close, "phone")
  return (
    <Spotlight
      store={store}
      title="Command palette"
      classNames={{ header: "visually-hidden" }}
      actions={filterGroups(query, groups, recent, late)}
      filter={(_, actions) => actions}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      shortcut={null}
      scrollable
      overlayProps={{ color: "var(--dk-backdrop)", backgroundOpacity: 1, blur: 0 }}
      maxHeight="min(60dvh, 480px)"
      limit={80}
      nothingFound="Nothing matches"
      searchProps={{
        leftSection: <Search size={16} aria-hidden />,
        placeholder: "Do something, or find a session, prompt or answer…",
        "aria-label": "Command palette",
        onKeyDown: enter,
      }}
    />
  )
}
