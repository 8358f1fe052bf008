"use client"

import Link from "next/link"
import { type ComponentProps, useState } from "react"
import { useGo } from "./use-go.ts"

/**
 * A link to a page of this app, which also works from layers over the page. The target is prefetched on hover or focus,
 * not while the current page is loading.
 */
export function PageLink({ href, ...props }: Omit<ComponentProps<typeof Link>, "href"> & { href: string }) {
  const go = useGo()
  const [isPointedAt, setPointedAt] = useState(false)
  return (
    <Link
      {...props}
      href={href}
      prefetch={isPointedAt ? null : false}
      onPointerEnter={() => setPointedAt(true)}
      onFocus={() => setPointedAt(true)}
      onNavigate={(event) => {
        event.preventDefault()
        go(href)
      }}
    />
  )
}
