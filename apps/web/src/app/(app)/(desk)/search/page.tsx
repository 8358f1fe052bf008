import type { Metadata } from "next"
import { SearchPage } from "./search-page.tsx"

export const metadata: Metadata = { title: "Search" }

export default function Search() {
  return <SearchPage />
}
