"use client"

import Link from "next/link"
import type { ComponentProps } from "react"
import { useGo } from "./use-go.ts"

/** A link to a page of this app, also from what stands over a page. */
export function PageLink({ href, ...props }: Omit<ComponentProps<typeof Link>, "href"> & { href: string }) {
  const go = useGo()
  return (
    <Link
      {...props}
      href={href}
      onNavigate={(event) => {
        event.preventDefault()
        go(href)
      }}
    />
  )
}
