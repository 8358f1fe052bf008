import type { ReactNode } from "react"
import { ErrorState } from "./error-state.tsx"
import { SkeletonRows } from "./skeleton-rows.tsx"

interface LoadedProps<Data> {
  query: { data: Data | undefined; isLoadingError: boolean; error: { message: string } | null; refetch(): unknown }
  /** Title of the error: "Trusted projects cannot be listed". */
  failed: string
  /** Label while loading: "Loading trusted projects". */
  loading: string
  /** Number of placeholder rows, and their height (px). */
  rows?: number
  height?: number
  children(data: Data): ReactNode
}

/** Renders the data of a query; while loading a placeholder, and after a failure the error with a retry button. */
export function Loaded<Data>({ query, failed, loading, rows = 1, height = 44, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isLoadingError)
    return <ErrorState title={failed} message={query.error?.message ?? ""} onRetry={() => void query.refetch()} />
  return <SkeletonRows count={rows} height={height} label={loading} />
}
