"use client"

import type { ComponentType, ReactNode } from "react"
import { PartPlace } from "./part-place.tsx"

interface LazyPartOptions {
  loading?: () => ReactNode
  note?: "line" | "corner"
}

/** A component whose code comes after the page, in a place that keeps the page whole without it. */
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
