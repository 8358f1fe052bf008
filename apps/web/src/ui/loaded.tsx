import type { ReactNode } from "react"
import { ErrorState } from "./error-state.tsx"
import { SkeletonRows } from "./skeleton-rows.tsx"

interface LoadedProps<Data> {
  query: { data: Data | undefined; isLoadingError: boolean; error: { message: string } | null; refetch(): unknown }
  /** What failed, where it cannot be loaded: "Trusted projects cannot be listed". */
  failed: string
  /** What is waited for: "Loading trusted projects". */
  loading: string
  /** Rows that hold the place until then, and their height (px). */
  rows?: number
  height?: number
  children(data: Data): ReactNode
}

/** What a page asked the service for, once it is there; before, its place, and what went wrong with a way to try again. */
export function Loaded<Data>({ query, failed, loading, rows = 1, height = 44, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isLoadingError)
    return <ErrorState title={failed} message={query.error?.message ?? ""} onRetry={() => void query.refetch()} />
  return <SkeletonRows count={rows} height={height} label={loading} />
}
