"use client"

import { TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { Search } from "lucide-react"
import { useSearchParams } from "next/navigation"
import { useEffect, useRef, useState } from "react"
import { rememberSearch } from "../../../../features/search/recent-searches.ts"
import { PageHeader } from "../../../../shell/page-header.tsx"
import page from "../../../../ui/page.module.css"
import { FilterChips } from "./filter-chips.tsx"
import { FoundHits } from "./found-hits.tsx"
import { RecentSearches } from "./recent-searches.tsx"

/** Searches prompts, answers, calls and titles in all sessions. */
export function SearchPage() {
  // Read from the current address, because Back returns to the address that typing has set.
  const addressText = useSearchParams().get("q")
  const [text, setText] = useState(addressText ?? "")
  const [searchedText] = useDebouncedValue(text.trim(), 200)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  // The address follows the query, so that a reload, Back and a copied link restore it.
  useEffect(() => {
    const query = searchedText === "" ? "" : `?q=${encodeURIComponent(searchedText)}`
    const address = location.pathname + query
    if (address !== location.pathname + location.search) history.replaceState(history.state, "", address)
  }, [searchedText])
  const change = (next: string) => {
    setText(next)
    field.current?.focus()
  }
  return (
    <div className={page.page}>
      <PageHeader>
        <h1>Search</h1>
      </PageHeader>
      <div className={page.main}>
        <TextInput
          ref={field}
          type="search"
          aria-label="Search everything"
          placeholder="Words, “a phrase”, begin*, -not, or a filter such as agent:explore"
          leftSection={<Search size={14} aria-hidden />}
          value={text}
          maxLength={2_000}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") rememberSearch(text)
          }}
        />
        <FilterChips text={text} onChange={change} />
        {searchedText === "" ? <RecentSearches onChoose={change} /> : <FoundHits text={searchedText} />}
      </div>
    </div>
  )
}
