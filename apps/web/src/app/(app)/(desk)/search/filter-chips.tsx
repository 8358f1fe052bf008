"use client"

import { visibleText } from "@docket/core/rule"
import { Button } from "@mantine/core"
import { X } from "lucide-react"
import { filtersIn, offeredFilters, toggled, withoutFilter } from "../../../../features/search/query-filters.ts"
import styles from "./search.module.css"

/** The filters of the query: common ones to switch on and off, others to remove. */
export function FilterChips({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const filters = filtersIn(text)
  const isOn = (source: string) => filters.some((piece) => !piece.isNot && piece.source.toLowerCase() === source)
  const others = filters.filter(
    (piece) => piece.isNot || !offeredFilters.some(({ source }) => source === piece.source.toLowerCase()),
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fieldset, whose legend would be drawn
    <div role="group" aria-label="Filters" className={styles.chips}>
      {offeredFilters.map(({ source, label }) => (
        <Button
          key={source}
          size="compact-xs"
          variant={isOn(source) ? "light" : "default"}
          aria-pressed={isOn(source)}
          onClick={() => onChange(toggled(text, source))}
        >
          {label}
        </Button>
      ))}
      {others.map((piece) => {
        const shown = visibleText(`${piece.isNot ? "-" : ""}${piece.source}`)
        return (
          <Button
            key={`${piece.start} ${piece.source}`}
            size="compact-xs"
            variant="light"
            className={styles.typed ?? ""}
            aria-label={`Remove the filter ${shown}`}
            rightSection={<X size={12} aria-hidden />}
            onClick={() => onChange(withoutFilter(text, piece))}
          >
            {shown}
          </Button>
        )
      })}
    </div>
  )
}
