"use client"

import type { ComponentType, ReactNode } from "react"
import { PartPlace } from "./part-place.tsx"

interface LazyPartOptions {
  loading?: () => ReactNode
  note?: "line" | "corner"
}

/**
 * A component whose code is loaded after the page, inside a boundary: if loading fails, the rest of the page still
 * works.
 */
export function lazyPart<Props extends object>(
  Later: ComponentType<Props>,
  { loading, note = "line" }: LazyPartOptions = {},
): ComponentType<Props> {
  return function LazyPart(props: Props) {
    return (
      <PartPlace loading={loading?.()} note={note}>
        <Later {...props} />
      </PartPlace>
    )
  }
}
