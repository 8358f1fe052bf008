import { BookOpen, Bot, CalendarClock, Inbox, ListTodo, type LucideIcon, Search, Settings, Share2 } from "lucide-react"

/** A page of the whole installation: in the rail, in the palette, and by `g` and its key from anywhere. */
export interface Place {
  href: string
  label: string
  icon: LucideIcon
  /** The second key of "g …". */
  key: string
  /** In "Go to …"; the label in small letters when left out. */
  name?: string
  /** Other words that find it in the palette. */
  keywords?: string[]
  /** The rail has no room for it: it is reached by its key, from the palette, and from the pages that speak of it. */
  isTucked?: boolean
}

/** The page that opens first; the brand in the rail leads there. */
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

/** What a link to a place says on a page: that it is this one, or that this one lies below it, as those of Settings do. */
export function currentOf({ href }: Place, pathname: string): "page" | "true" | undefined {
  if (pathname === href) return "page"
  return pathname.startsWith(`${href}/`) ? "true" : undefined
}
