"use client"

import { useTRPC } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"
import { ChevronRight } from "lucide-react"
import { usePathname } from "next/navigation"
import { useId } from "react"
import { PageLink } from "../../../../shell/page-link.tsx"
import { modelsPlace, type SettingsPlace, settingsPlaces } from "../../../../shell/settings-places.ts"
import styles from "./settings-list.module.css"

const groups = { you: "You", workspace: "Workspace" } as const

/** Links to all pages of Settings that are there for the reader. */
export function SettingsList({ isTeam }: { isTeam: boolean }) {
  const there = settingsPlaces.filter(({ only }) => only !== (isTeam ? "local" : "team"))
  return (
    <nav className={styles.list} aria-label="Pages of Settings">
      {isTeam ? <Groups places={there} /> : <Links places={there} />}
    </nav>
  )
}

function Groups({ places }: { places: readonly SettingsPlace[] }) {
  return (["you", "workspace"] as const).map((of) => (
    <Group key={of} name={groups[of]} places={places.filter((place) => place.of === of)} />
  ))
}

function Group({ name, places }: { name: string; places: readonly SettingsPlace[] }) {
  const id = useId()
  return (
    <div className={styles.group}>
      <h2 id={id} className={styles.name}>
        {name}
      </h2>
      <Links places={places} labelledBy={id} />
    </div>
  )
}

function Links({ places, labelledBy }: { places: readonly SettingsPlace[]; labelledBy?: string }) {
  const path = usePathname()
  const trpc = useTRPC()
  const me = useQuery({ ...trpc.me.get.queryOptions(), enabled: labelledBy !== undefined })
  const stateOf = ({ needs }: SettingsPlace) => {
    if (needs === undefined) return "shown"
    // Until it is known, its place is kept for whoever may.
    return me.data === undefined ? "awaited" : me.data.refused[needs] === undefined ? "shown" : "hidden"
  }
  return (
    <ul aria-labelledby={labelledBy}>
      {places.map((place) => {
        const { href, label, icon: Icon } = place
        const state = stateOf(place)
        if (state === "hidden") return null
        // Where the list is no page of its own, the first page is that of models.
        const isCurrent = path === href || (path === "/settings" && place === modelsPlace)
        return (
          <li key={href} data-state={state}>
            <PageLink href={href} className={styles.link} aria-current={isCurrent ? "page" : undefined}>
              <Icon size={15} aria-hidden />
              <span className={styles.label}>{label}</span>
              <ChevronRight size={15} className={styles.more} aria-hidden />
            </PageLink>
          </li>
        )
      })}
    </ul>
  )
}
