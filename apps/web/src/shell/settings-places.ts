import type { Capability } from "@docket/client/pages"
import {
  Boxes,
  Braces,
  Building2,
  Fingerprint,
  KeyRound,
  Laptop,
  type LucideIcon,
  MonitorSmartphone,
  Plug,
  ScrollText,
  Server,
  Settings,
  Share2,
  ShieldCheck,
  SlidersHorizontal,
  Users,
  Webhook,
  Wrench,
} from "lucide-react"
import type { Rights } from "./rights.ts"

/** A page of Settings, as listed beside them. */
export interface SettingsPlace {
  href: string
  label: string
  icon: LucideIcon
  /** The subject: the user, the workspace, or the service with all workspaces. */
  of: "you" | "workspace" | "service"
  /** Shown only without accounts, or only in a team; undefined: always. */
  only?: "local" | "team"
  /** The required capability. Users without it do not see the page in the list. */
  needs?: Capability
}

/** Models and rules. A page of its own, because the first Settings page is a list on phones. */
export const modelsPlace: SettingsPlace = {
  href: "/settings/models",
  label: "Models and rules",
  icon: Boxes,
  of: "workspace",
  only: "team",
}

/** Settings pages in the order of the list. */
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
  { href: "/settings/audit", label: "Audit", icon: ScrollText, of: "workspace", needs: "audit.read" },
  {
    href: "/settings/language-servers",
    label: "Language servers",
    icon: Braces,
    of: "workspace",
    needs: "settings.read",
  },
  {
    href: "/settings/config",
    label: "Configuration",
    icon: SlidersHorizontal,
    of: "workspace",
    needs: "settings.read",
  },
  { href: "/settings/extensions", label: "Extensions", icon: Plug, of: "workspace", needs: "settings.read" },
  { href: "/settings/tools", label: "Tools", icon: Wrench, of: "workspace", needs: "settings.read" },
  { href: "/settings/nodes", label: "Nodes", icon: Server, of: "service", needs: "service.manage" },
]

/** The Settings pages that the user can see. */
export function settingsPlacesOf({ hasTeam, can }: Pick<Rights, "hasTeam" | "can">): SettingsPlace[] {
  return settingsPlaces.filter(
    ({ only, needs }) => only !== (hasTeam ? "local" : "team") && (needs === undefined || can(needs)),
  )
}
