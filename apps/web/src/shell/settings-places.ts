import type { Capability } from "@docket/client/pages"
import {
  Boxes,
  Building2,
  Fingerprint,
  KeyRound,
  Laptop,
  type LucideIcon,
  MonitorSmartphone,
  ScrollText,
  Settings,
  Share2,
  ShieldCheck,
  SlidersHorizontal,
  Users,
  Webhook,
} from "lucide-react"
import type { Rights } from "./rights.ts"

/** A page of Settings: in the list beside them. */
export interface SettingsPlace {
  href: string
  label: string
  icon: LucideIcon
  /** What it is about: the reader's own, or what their workspace has. */
  of: "you" | "workspace"
  /** Where it is: without accounts, in a team, or, left out, always. */
  only?: "local" | "team"
  /** Whoever lacks it does not see the page in the list. */
  needs?: Capability
}

/** What concerns models and rules; a page of its own, since the first one is a list on a phone. */
export const modelsPlace: SettingsPlace = {
  href: "/settings/models",
  label: "Models and rules",
  icon: Boxes,
  of: "workspace",
  only: "team",
}

/** In the order of the list. */
const settingsPlaces: readonly SettingsPlace[] = [
  { href: "/settings", label: "General", icon: Settings, of: "workspace", only: "local" },
  { href: "/settings/sign-in-methods", label: "Sign-in methods", icon: Fingerprint, of: "you", only: "team" },
  { href: "/settings/sign-ins", label: "My sign-ins", icon: MonitorSmartphone, of: "you", only: "team" },
  { href: "/settings/browser", label: "This browser", icon: Laptop, of: "you", only: "team" },
  { href: "/settings/shares", label: "My shares", icon: Share2, of: "you" },
  { href: "/settings/members", label: "Members", icon: Users, of: "workspace", only: "team" },
  { href: "/settings/roles", label: "Roles", icon: ShieldCheck, of: "workspace", only: "team" },
  { href: "/settings/workspace", label: "Workspace", icon: Building2, of: "workspace", only: "team" },
  modelsPlace,
  { href: "/settings/keys", label: "API keys", icon: KeyRound, of: "workspace", only: "team", needs: "keys.manage" },
  { href: "/settings/webhooks", label: "Webhooks", icon: Webhook, of: "workspace", needs: "webhooks.manage" },
  { href: "/settings/audit", label: "Audit", icon: ScrollText, of: "workspace", only: "team", needs: "audit.read" },
  {
    href: "/settings/config",
    label: "Configuration",
    icon: SlidersHorizontal,
    of: "workspace",
    needs: "settings.read",
  },
]

/** Those that are there for the reader. */
export function settingsPlacesOf({ hasTeam, can }: Pick<Rights, "hasTeam" | "can">): SettingsPlace[] {
  return settingsPlaces.filter(
    ({ only, needs }) => only !== (hasTeam ? "local" : "team") && (needs === undefined || can(needs)),
  )
}
