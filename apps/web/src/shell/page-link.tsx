"use client"

import Link from "next/link"
import { type ComponentProps, useState } from "react"
import { useGo } from "./use-go.ts"

/**
 * A link to a page of this app, also from what stands over a page. What the page needs is fetched once somebody points at
 * the link, not while the page that it is on still loads.
 */
export function PageLink({ href, ...props }: Omit<ComponentProps<typeof Link>, "href"> & { href: string }) {
  const go = useGo()
  const [meant, setMeant] = useState(false)
  return (
    <Link
      {...props}
      href={href}
      prefetch={meant ? null : false}
      onPointerEnter={() => setMeant(true)}
      onFocus={() => setMeant(true)}
      onNavigate={(event) => {
        event.preventDefault()
        go(href)
      }}
    />
  )
}
