"use client"

import { ChevronRight } from "lucide-react"
import { usePathname } from "next/navigation"
import { useId } from "react"
import { useMe } from "../../../../shell/me.tsx"
import { PageLink } from "../../../../shell/page-link.tsx"
import { modelsPlace, type SettingsPlace, settingsPlacesOf } from "../../../../shell/settings-places.ts"
import styles from "./settings-list.module.css"

const groups = { you: "You", workspace: "Workspace", service: "Service" } as const

/** Links to all Settings pages that the user can see. */
export function SettingsList({ isTeam }: { isTeam: boolean }) {
  const places = settingsPlacesOf({ hasTeam: isTeam, can: useMe().can })
  return (
    <nav className={styles.list} aria-label="Pages of Settings">
      {isTeam ? <Groups places={places} /> : <Links places={places} />}
    </nav>
  )
}

function Groups({ places }: { places: readonly SettingsPlace[] }) {
  return (["you", "workspace", "service"] as const).map((of) => {
    const own = places.filter((place) => place.of === of)
    return own.length === 0 ? null : <Group key={of} name={groups[of]} places={own} />
  })
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
  return (
    <ul aria-labelledby={labelledBy}>
      {places.map((place) => {
        const { href, label, icon: Icon } = place
        // Where the list is not a page of its own, the first page is the one about models.
        const isCurrent = path === href || (path === "/settings" && place === modelsPlace)
        return (
          <li key={href}>
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
