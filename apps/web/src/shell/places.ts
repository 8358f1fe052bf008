import { BookOpen, Bot, CalendarClock, Inbox, ListTodo, type LucideIcon, Search, Settings, Share2 } from "lucide-react"

/** A top-level page: in the rail, in the palette, and reachable by `g` and its key. */
export interface Place {
  href: string
  label: string
  icon: LucideIcon
  /** The second key after `g`. */
  key: string
  /** Name in "Go to …"; by default the label in lower case. */
  name?: string
  /** More search words for the palette. */
  keywords?: string[]
  /** Not in the rail: reachable by its key, from the palette, and by links on other pages. */
  isTucked?: boolean
}

/** The start page; the logo in the rail links to it. */
export const inbox: Place = { href: "/", label: "Inbox", icon: Inbox, key: "i", name: "the inbox" }

export const places: readonly Place[] = [
  {
    href: "/search",
    label: "Search",
    icon: Search,
    key: "f",
    name: "the search",
    keywords: ["find", "full text"],
    isTucked: true,
  },
  { href: "/todos", label: "Todos", icon: ListTodo, key: "t" },
  { href: "/memory", label: "Memory", icon: BookOpen, key: "m", keywords: ["facts", "remember"] },
  { href: "/schedules", label: "Schedules", icon: CalendarClock, key: "c", keywords: ["cron", "repeat"] },
  {
    href: "/agents",
    label: "Agents",
    icon: Bot,
    key: "a",
    name: "the agents",
    keywords: ["subagents", "roles", "/agents"],
    isTucked: true,
  },
  {
    href: "/settings/shares",
    label: "My shares",
    icon: Share2,
    key: "h",
    name: "my shares",
    keywords: ["links", "revoke"],
    isTucked: true,
  },
  { href: "/settings", label: "Settings", icon: Settings, key: "s" },
]

/** The `aria-current` of a link to a place: "page" for the page itself, "true" for a page below it, as in Settings. */
export function currentOf({ href }: Place, pathname: string): "page" | "true" | undefined {
  if (pathname === href) return "page"
  return pathname.startsWith(`${href}/`) ? "true" : undefined
}
