import type { Metadata } from "next"
import { SearchPage } from "./search-page.tsx"

export const metadata: Metadata = { title: "Search" }

export default async function Search({ searchParams }: { searchParams: Promise<{ q?: string | string[] }> }) {
  const { q = "" } = await searchParams
  return <SearchPage asked={typeof q === "string" ? q : (q[0] ?? "")} />
}
